import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findHelm } from '../../../tools/kube/index.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../tools/kube/shared.ts'
import { deployment } from '../src/manifests/deployment.js'
import { leaseRules, operatorRules, usualInstallation } from '../src/manifests/index.js'
import type { Manifest } from '../src/manifests/manifest.js'

const chart = fileURLToPath(new URL('../../../deploy/helm/kron-operator', import.meta.url))
const helm = findHelm()
const isUntold = helm === null && !controlPlaneAbsent()
if (isUntold) console.warn('Not tested with Helm: the folder of KUBEBUILDER_ASSETS has none')

function run(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(helm!, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

/** What the chart makes of some values, for a server of the oldest version that it takes. */
function rendered(values: readonly string[], namespace = 'kron-system', version = '1.30.0') {
  const sets = values.flatMap((value) => ['--set', value])
  const names = ['template', 'kron-operator', chart, '--namespace', namespace]
  const { status, output } = run(...names, '--kube-version', version, ...sets)
  if (status !== 0) throw new Error(output)
  return output
}

function objectsOf(yaml: string): Manifest[] {
  return parseAllDocuments(yaml).map((document) => document.toJS())
}

const kindsOf = (objects: readonly Manifest[]) => objects.map(({ kind }) => kind).sort()

const find = (objects: readonly Manifest[], kind: string): Manifest =>
  objects.find((object) => object.kind === kind)!

describe.skipIf(helm === null)('the Helm chart, rendered', () => {
  it('passes the strict linter', () => {
    expect(run('lint', '--strict', chart)).toMatchObject({ status: 0 })
  })

  it('runs the same Pod as the plain manifests', () => {
    const podOf = (object: Manifest) =>
      JSON.parse(JSON.stringify(object['spec'])).template.spec as {
        containers: { imagePullPolicy?: string }[]
      }
    const ours = podOf(deployment(usualInstallation('0.1.0')))
    const charts = podOf(find(objectsOf(rendered([])), 'Deployment'))
    delete charts.containers[0]!.imagePullPolicy
    expect(charts).toEqual(ours)
  })

  it('grants what the plain manifests grant', () => {
    const objects = objectsOf(rendered([]))
    const granted = objects.find(({ metadata }) => metadata.name === 'kron-operator-lease')!
    expect(granted['rules']).toEqual(leaseRules)
    const own = objects.filter(({ kind }) => kind === 'ClusterRole')
    expect(own.find(({ metadata }) => metadata.name === 'kron-operator')!['rules']).toEqual(
      operatorRules,
    )
  })

  it('has no ClusterRole when it looks after one namespace', () => {
    const objects = objectsOf(rendered(['watchNamespace=team-a']))
    expect(kindsOf(objects)).toEqual([
      'Deployment',
      'PodDisruptionBudget',
      'Role',
      'Role',
      'RoleBinding',
      'RoleBinding',
      'Service',
      'ServiceAccount',
    ])
    const places = objects.filter(({ kind }) => kind === 'Role').map((role) => role.metadata)
    expect(places).toMatchObject([{ namespace: 'team-a' }, { namespace: 'kron-system' }])
  })

  it('lets a release of another name have a lease of its own', () => {
    const text = rendered(['fullnameOverride=second'])
    expect(text).toMatch(/- --lease-name\n\s+- "second"/)
    expect(text).toMatch(/resourceNames:\n\s+- second/)
  })

  it('passes options on', () => {
    const options = [
      'resync=1h',
      'log.level=debug',
      'leaderElection.leaseDuration=30s',
      'extraArgs={--requests=50}',
    ]
    const text = rendered(options).replace(/\s*- /g, ' ')
    expect(text).toContain('--lease-duration "30s" --resync "1h" --log-level debug "--requests=50"')
  })

  it('makes a monitor for Prometheus on request', () => {
    expect(kindsOf(objectsOf(rendered(['serviceMonitor.enabled=true'])))).toContain(
      'ServiceMonitor',
    )
    expect(() => rendered(['serviceMonitor.enabled=true', 'service.enabled=false'])).toThrow(
      /needs service.enabled/,
    )
  })

  const podOf = (objects: readonly Manifest[]) =>
    JSON.parse(JSON.stringify(find(objects, 'Deployment')['spec'])).template.spec

  it('leaves the user to a cluster that assigns one, as OpenShift does', () => {
    const values = ['podSecurityContext.runAsUser=null', 'podSecurityContext.runAsGroup=null']
    expect(podOf(objectsOf(rendered(values))).securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
  })

  it('lets the security of the container be set', () => {
    const values = [
      'securityContext.runAsUser=1000',
      'securityContext.readOnlyRootFilesystem=false',
    ]
    expect(podOf(objectsOf(rendered(values))).containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: false,
      runAsUser: 1000,
    })
  })

  it('has a NetworkPolicy on request, for metrics and nothing else', () => {
    expect(kindsOf(objectsOf(rendered([])))).not.toContain('NetworkPolicy')
    const usual = find(objectsOf(rendered(['networkPolicy.enabled=true'])), 'NetworkPolicy')
    expect(usual['spec']).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }], from: [{ namespaceSelector: {} }] }],
    })
    const { podSelector } = usual['spec'] as { podSelector: object }
    const { selector } = find(objectsOf(rendered([])), 'Deployment')['spec'] as { selector: object }
    expect(podSelector).toEqual(selector)
    const strict = rendered([
      'networkPolicy.enabled=true',
      'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus',
      'networkPolicy.egress[0].ports[0].port=6443',
    ])
    expect(find(objectsOf(strict), 'NetworkPolicy')['spec']).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'prometheus' } } }] }],
      egress: [{ ports: [{ port: 6443 }] }],
    })
  })

  it('has its namespace on request, with a Pod security standard', () => {
    expect(kindsOf(objectsOf(rendered([])))).not.toContain('Namespace')
    const made = find(objectsOf(rendered(['namespace.create=true'])), 'Namespace')
    expect(made.metadata).toMatchObject({
      name: 'kron-system',
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    })
    const open = find(
      objectsOf(rendered(['namespace.create=true', 'namespace.podSecurity='])),
      'Namespace',
    )
    expect(Object.keys(open.metadata.labels!).join()).not.toContain('pod-security')
  })

  it('refuses servers before 1.30', () => {
    expect(() => rendered([], 'kron-system', '1.29.9')).toThrow(/requires kubeVersion: >=1.30/)
  })

  it.each([
    ['leaderElection.enabled=false', /must be true with more than one replica/],
    ['replica=1', /additional properties 'replica' not allowed/],
    ['replicas=two', /replicas/],
    ['watchNamespace=Team_A', /watchNamespace/],
    ['resync=daily', /resync/],
    ['namespace.podSecurity=strict', /podSecurity/],
  ])('refuses %s', (value, message) => {
    expect(() => rendered([value])).toThrow(message)
  })

  describe.skipIf(controlPlaneAbsent())('on a server', () => {
    it.each([
      ['as it is', []],
      ['for one namespace', ['watchNamespace=default']],
      ['with one replica', ['replicas=1', 'leaderElection.enabled=false']],
      [
        'with a user that the cluster assigns, and a NetworkPolicy',
        [
          'podSecurityContext.runAsUser=null',
          'podSecurityContext.runAsGroup=null',
          'networkPolicy.enabled=true',
          'networkPolicy.egress[0].ports[0].port=443',
        ],
      ],
      ['with another account', ['serviceAccount.create=false', 'serviceAccount.name=other']],
      [
        'with all that Pods can have',
        [
          'podLabels.team=a',
          'podAnnotations.note=b',
          'nodeSelector.disk=ssd',
          'tolerations[0].operator=Exists',
          'imagePullSecrets[0].name=registry',
          'extraEnv[0].name=A',
          'extraEnv[0].value=b',
          `image.digest=sha256:${'a'.repeat(64)}`,
        ],
      ],
    ])('is accepted %s', async (_, values) => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('helm')
      const input = rendered(values, namespace)
      const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })
      expect(applied).toMatchObject({ code: 0, stderr: '' })
      expect(applied.stdout).toContain('deployment.apps/kron-operator created')
    })

    it('has Pods that fit the standard which its namespace enforces', async () => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('restricted')
      const apply = (values: readonly string[]) => {
        const usual = ['replicas=0', 'namespace.create=true', `watchNamespace=${namespace}`]
        const input = rendered([...usual, ...values], namespace)
        return plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input })
      }
      expect(await apply([])).toMatchObject({ code: 0, stderr: '' })
      // The server says so if they do not.
      const careless = await apply(['securityContext.allowPrivilegeEscalation=true'])
      expect(careless.stderr).toContain('would violate PodSecurity "restricted')
    })
  })
})
