import { describe, expect, it } from 'vitest'
import { Chart, type ChartObject, find, kindsOf } from '../../../tools/charts/chart.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../tools/kube/shared.ts'
import { deployment } from '../src/manifests/deployment.js'
import { defaultInstallation, leaseRules, operatorRules } from '../src/manifests/index.js'

const chart = new Chart('kron-operator')
const isUntold = chart.isUntestable && !controlPlaneAbsent()
if (isUntold) console.warn('Not tested with Helm: the folder of KUBEBUILDER_ASSETS has none')

describe.skipIf(chart.isUntestable)('the Helm chart, rendered', () => {
  it('passes the strict linter', () => {
    expect(chart.lint()).toMatchObject({ status: 0 })
  })

  it('runs the same Pod as the plain manifests', () => {
    const podOf = (object: ChartObject) =>
      JSON.parse(JSON.stringify(object['spec'])).template.spec as {
        containers: { imagePullPolicy?: string }[]
      }
    const ours = podOf(deployment(defaultInstallation('0.1.0')))
    const charts = podOf(find(chart.objects([]), 'Deployment'))
    delete charts.containers[0]!.imagePullPolicy
    expect(charts).toEqual(ours)
  })

  it('grants what the plain manifests grant', () => {
    const objects = chart.objects([])
    const granted = objects.find(({ metadata }) => metadata.name === 'kron-operator-lease')!
    expect(granted['rules']).toEqual(leaseRules)
    const own = objects.filter(({ kind }) => kind === 'ClusterRole')
    expect(own.find(({ metadata }) => metadata.name === 'kron-operator')!['rules']).toEqual(
      operatorRules,
    )
  })

  it('has no ClusterRole when it looks after one namespace', () => {
    const objects = chart.objects(['watchNamespace=team-a'])
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
    const text = chart.rendered(['fullnameOverride=second'])
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
    const text = chart.rendered(options).replace(/\s*- /g, ' ')
    expect(text).toContain('--lease-duration "30s" --resync "1h" --log-level debug "--requests=50"')
  })

  it('makes a monitor for Prometheus on request', () => {
    expect(kindsOf(chart.objects(['serviceMonitor.enabled=true']))).toContain('ServiceMonitor')
    expect(() => chart.rendered(['serviceMonitor.enabled=true', 'service.enabled=false'])).toThrow(
      /needs service.enabled/,
    )
  })

  const podOf = (objects: readonly ChartObject[]) =>
    JSON.parse(JSON.stringify(find(objects, 'Deployment')['spec'])).template.spec

  it('leaves the user to a cluster that assigns one, as OpenShift does', () => {
    const values = ['podSecurityContext.runAsUser=null', 'podSecurityContext.runAsGroup=null']
    expect(podOf(chart.objects(values)).securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
  })

  it('lets the security of the container be set', () => {
    const values = [
      'securityContext.runAsUser=1000',
      'securityContext.readOnlyRootFilesystem=false',
    ]
    expect(podOf(chart.objects(values)).containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: false,
      runAsUser: 1000,
    })
  })

  it('has a NetworkPolicy on request, for metrics and nothing else', () => {
    expect(kindsOf(chart.objects([]))).not.toContain('NetworkPolicy')
    const usual = find(chart.objects(['networkPolicy.enabled=true']), 'NetworkPolicy')
    expect(usual['spec']).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }], from: [{ namespaceSelector: {} }] }],
    })
    const { podSelector } = usual['spec'] as { podSelector: object }
    const { selector } = find(chart.objects([]), 'Deployment')['spec'] as { selector: object }
    expect(podSelector).toEqual(selector)
    const strict = chart.objects([
      'networkPolicy.enabled=true',
      'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus',
      'networkPolicy.egress[0].ports[0].port=6443',
    ])
    expect(find(strict, 'NetworkPolicy')['spec']).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'prometheus' } } }] }],
      egress: [{ ports: [{ port: 6443 }] }],
    })
  })

  it('has its namespace on request, with a Pod security standard', () => {
    expect(kindsOf(chart.objects([]))).not.toContain('Namespace')
    const made = find(chart.objects(['namespace.create=true']), 'Namespace')
    expect(made.metadata).toMatchObject({
      name: 'kron-system',
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    })
    const open = find(
      chart.objects(['namespace.create=true', 'namespace.podSecurity=']),
      'Namespace',
    )
    expect(Object.keys(open.metadata.labels!).join()).not.toContain('pod-security')
  })

  it('refuses servers before 1.30', () => {
    expect(() => chart.rendered([], 'kron-system', '1.29.9')).toThrow(
      /requires kubeVersion: >=1.30/,
    )
  })

  it.each([
    ['leaderElection.enabled=false', /must be true with more than one replica/],
    ['replica=1', /additional properties 'replica' not allowed/],
    ['replicas=two', /replicas/],
    ['watchNamespace=Team_A', /watchNamespace/],
    ['resync=daily', /resync/],
    ['namespace.podSecurity=strict', /podSecurity/],
  ])('refuses %s', (value, message) => {
    expect(() => chart.rendered([value])).toThrow(message)
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
      const input = chart.rendered(values, namespace)
      const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })
      expect(applied).toMatchObject({ code: 0, stderr: '' })
      expect(applied.stdout).toContain('deployment.apps/kron-operator created')
    })

    it('has Pods that fit the standard which its namespace enforces', async () => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('restricted')
      const apply = (values: readonly string[]) => {
        const usual = ['replicas=0', 'namespace.create=true', `watchNamespace=${namespace}`]
        const input = chart.rendered([...usual, ...values], namespace)
        return plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input })
      }
      expect(await apply([])).toMatchObject({ code: 0, stderr: '' })
      // The server says so if they do not.
      const careless = await apply(['securityContext.allowPrivilegeEscalation=true'])
      expect(careless.stderr).toContain('would violate PodSecurity "restricted')
    })
  })
})
