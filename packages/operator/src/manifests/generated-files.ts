import { stringify } from 'yaml'
import { kronJobCrd } from '../kronjob/crd.js'
import { deployment } from './deployment.js'
import {
  defaultInstallation,
  type Installation,
  type Manifest,
  namespace,
  serviceAccount,
} from './installation.js'
import { editRules, leaseRules, operatorRules, viewRules } from './rbac-rules.js'
import { roles, userRoles } from './roles.js'

/** All files below `deploy/` that are made from code, by their path there. */
export function generatedFiles(version: string): ReadonlyMap<string, string> {
  return new Map([...plainManifests(version), ...partsOfChart()])
}

function plainManifests(version: string): [path: string, text: string][] {
  return [
    ['kubernetes/crd.yaml', manifestYaml(crdComment, kronJobCrd)],
    [
      'kubernetes/operator.yaml',
      manifestYaml(operatorComment, ...controller(defaultInstallation(version))),
    ],
    [
      'kubernetes/operator-namespaced.yaml',
      manifestYaml(namespacedComment, ...controller(defaultInstallation(version, 'own namespace'))),
    ],
    ['kubernetes/user-roles.yaml', manifestYaml(userRolesComment, ...userRoles())],
  ]
}

/** In the order in which they are needed. */
function controller(installation: Installation): Manifest[] {
  return [
    namespace(installation),
    serviceAccount(installation),
    ...roles(installation),
    deployment(installation),
  ]
}

/** Templates of the chart take the rules from files, so that they are written down once. */
function partsOfChart(): [path: string, text: string][] {
  const chart = 'helm/kron-operator'
  return [
    [`${chart}/crds/kronjobs.yaml`, manifestYaml(crdComment, kronJobCrd)],
    [`${chart}/files/operator-rules.yaml`, manifestYaml('What it may do.', operatorRules)],
    [`${chart}/files/lease-rules.yaml`, manifestYaml('How it becomes leader.', leaseRules)],
    [`${chart}/files/view-rules.yaml`, manifestYaml('What viewers may do.', viewRules)],
    [`${chart}/files/edit-rules.yaml`, manifestYaml('What editors may do.', editRules)],
  ]
}

const crdComment = `The kind KronJob, for Kubernetes 1.30 and newer.
Its rules refuse mistakes when a KronJob is applied, in words.`

const operatorComment = `The controller for the KronJobs of all namespaces.
Apply crd.yaml first, and put the image where your nodes find it.`

const namespacedComment = `The controller for the KronJobs of its own namespace only.
Apply crd.yaml first. For another namespace than kron-system, replace it everywhere, or use the
Helm chart.`

const userRolesComment =
  'For people: everyone who may view or edit a namespace may do so with its KronJobs.'

/** Objects as the documents of one YAML file, under a comment. */
export function manifestYaml(comment: string, ...documents: readonly unknown[]): string {
  const head = `${comment}\n${origin}`.replace(/^/gm, '# ')
  return `${head}\n${documents.map(documentYaml).join('---\n')}`
}

const origin = 'Made by `npm run manifests` from packages/operator/src; changes here are lost.'

function documentYaml(document: unknown): string {
  return stringify(document, {
    // Anchors would be shorter, but no one expects them in a manifest.
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
    lineWidth: 0,
  })
}
