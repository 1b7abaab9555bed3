import { describe, expect, it } from 'vitest'
import { understood } from '../images/serve-call.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../kube/shared.ts'
import { Chart, type ChartObject, find, kindsOf } from './chart.ts'

const chart = new Chart('kron-server')
const roles = ['api', 'worker', 'planner'] as const

interface PodSpec {
  readonly securityContext: object
  readonly containers: readonly {
    readonly args: readonly string[]
    readonly env: readonly { readonly name: string; readonly valueFrom?: unknown }[]
    readonly securityContext: object
    readonly ports: readonly object[]
    readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string } }
  }[]
}

const podOf = (objects: readonly ChartObject[], role: string): PodSpec =>
  JSON.parse(JSON.stringify(find(objects, 'Deployment', `kron-server-${role}`)['spec'])).template
    .spec

/** As the Pod of a role runs it. */
function callOf(objects: readonly ChartObject[], role: string) {
  const { args, env } = podOf(objects, role).containers[0]!
  const given = env.map(({ name }) => [name, name === 'KRON_DATABASE' ? 'postgres://a/b' : 'x'])
  return understood({ words: args, env: Object.fromEntries(given) })
}

describe.skipIf(chart.isUntestable)('the Helm chart of the server, rendered', () => {
  it('passes the strict linter', () => {
    expect(chart.lint()).toMatchObject({ status: 0 })
  })

  it('has a Deployment for each role, and a way to the API', () => {
    const objects = chart.objects([])
    expect(kindsOf(objects)).toEqual([
      'Deployment',
      'Deployment',
      'Deployment',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
    const labelsOf = (role: string) =>
      find(objects, 'Deployment', `kron-server-${role}`)['spec'] as {
        template: { metadata: { labels: object } }
      }
    const { selector } = find(objects, 'Service')['spec'] as { selector: object }
    expect(labelsOf('api').template.metadata.labels).toMatchObject(selector)
    expect(labelsOf('worker').template.metadata.labels).not.toMatchObject(selector)
  })

  it.each(roles)('has kron serve do what its Deployment is named for: %s', (role) => {
    const { options, unread } = callOf(chart.objects([]), role)
    expect(unread).toEqual([])
    expect(options).toMatchObject({ roles: [role], host: '0.0.0.0', port: 7077, folder: '/data' })
  })

  it.each(roles)('passes on what all processes must agree on: %s', (role) => {
    const objects = chart.objects([
      'publicUrl=https://kron.example.com',
      'allow={10.20.0.0/16,10.1.2.3:8080}',
      'systemQuotas=runs-per-month=1000',
      'databaseConnections=4',
      'grace=45s',
      'log.level=warn',
      `${role}.extraArgs={--per-host=3}`,
    ])
    expect(callOf(objects, role).options).toMatchObject({
      publicUrl: 'https://kron.example.com',
      allow: ['10.20.0.0/16', '10.1.2.3:8080'],
      systemQuotas: { runsPerMonth: 1000 },
      databaseConnections: 4,
      graceMs: 45_000,
      connectionsPerOrigin: 3,
    })
  })

  it('takes the URL of the database and the sealing key from Secrets alone', () => {
    const own = ['database.existingSecret=cluster-app', 'database.key=uri']
    for (const role of roles) {
      expect(podOf(chart.objects(own), role).containers[0]!.env).toEqual([
        {
          name: 'KRON_DATABASE',
          valueFrom: { secretKeyRef: { name: 'cluster-app', key: 'uri' } },
        },
        {
          name: 'KRON_SECRET_KEY',
          valueFrom: { secretKeyRef: { name: 'kron-server', key: 'sealing-key' } },
        },
      ])
    }
    expect(kindsOf(chart.objects(own))).not.toContain('Secret')
  })

  it('restarts a Pod that does not live, not one whose database is away', () => {
    for (const role of roles) {
      const { startupProbe, livenessProbe, readinessProbe } = podOf(chart.objects([]), role)
        .containers[0]!
      const paths = [startupProbe, livenessProbe, readinessProbe].map((each) => each!.httpGet.path)
      expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    }
  })

  it('leaves the user to a cluster that assigns one, as OpenShift does', () => {
    const values = ['podSecurityContext.runAsUser=null', 'podSecurityContext.runAsGroup=null']
    for (const role of roles) {
      expect(podOf(chart.objects(values), role).securityContext).toEqual({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
    }
  })

  it('has an Ingress on request, to the API and not to metrics', () => {
    const outside = ['ingress.enabled=true', 'ingress.host=kron.example.com']
    const open = chart.objects([...outside, 'ingress.tlsSecretName=kron-tls'])
    expect(find(open, 'Ingress')['spec']).toMatchObject({
      tls: [{ hosts: ['kron.example.com'], secretName: 'kron-tls' }],
      rules: [
        {
          host: 'kron.example.com',
          http: {
            paths: [{ path: '/api', backend: { service: { name: 'kron-server' } } }],
          },
        },
      ],
    })
    expect(callOf(open, 'api').options.publicUrl).toBe('https://kron.example.com')
    // Cookies that need https would never be sent back.
    expect(callOf(chart.objects(outside), 'api').options.publicUrl).toBeUndefined()
    expect(() => chart.objects(['ingress.enabled=true'])).toThrow(/needs ingress.host/)
  })

  it('has NetworkPolicies on request, which cover every Pod once', () => {
    const objects = chart.objects([
      'networkPolicy.enabled=true',
      'networkPolicy.apiFrom[0].podSelector.matchLabels.app=proxy',
      'networkPolicy.egress[0].ports[0].port=5432',
    ])
    const specOf = (name: string) =>
      find(objects, 'NetworkPolicy', `kron-server-${name}`)['spec'] as {
        podSelector: { matchExpressions: object[] }
      }
    const key = 'app.kubernetes.io/component'
    expect(specOf('api')).toMatchObject({
      podSelector: { matchExpressions: [{ key, operator: 'In', values: ['api'] }] },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'proxy' } } }] }],
      egress: [{ ports: [{ port: 5432 }] }],
    })
    expect(specOf('metrics')).toMatchObject({
      podSelector: { matchExpressions: [{ key, operator: 'NotIn', values: ['api'] }] },
      ingress: [{ from: [{ namespaceSelector: {} }] }],
    })
  })

  it('has a budget only where one can go and another stays', () => {
    expect(kindsOf(chart.objects(['worker.replicas=1', 'api.replicas=1']))).not.toContain(
      'PodDisruptionBudget',
    )
  })

  it('makes a monitor for Prometheus on request', () => {
    const monitor = find(chart.objects(['podMonitor.enabled=true']), 'PodMonitor')
    expect(monitor['spec']).toMatchObject({
      podMetricsEndpoints: [{ port: 'http', path: '/metrics', interval: '30s' }],
    })
  })

  it('has names that a server takes, however long that of the release is', () => {
    const long = `fullnameOverride=${'a'.repeat(63)}`
    const names = chart.objects([long]).map(({ metadata }) => metadata.name)
    expect(names.filter((name) => name.length > 63)).toEqual([])
  })

  it('refuses servers before 1.30', () => {
    expect(() => chart.rendered([], 'kron', '1.29.9')).toThrow(/requires kubeVersion: >=1.30/)
  })

  it.each([
    ['replicas=2', /additional properties 'replicas' not allowed/],
    ['api.replica=2', /additional properties 'replica' not allowed/],
    ['worker.replicas=two', /replicas/],
    ['worker.replicas=-1', /replicas/],
    ['database.existingSecret=', /existingSecret/],
    ['database.url=postgres://a/b', /additional properties 'url' not allowed/],
    ['publicUrl=kron.example.com', /publicUrl/],
    ['databaseConnections=0', /databaseConnections/],
    ['grace=soon', /grace/],
    ['log.level=verbose', /level/],
    ['ingress.host=Kron_1', /host/],
    ['service.type=Loadbalancer', /type/],
    ['image.digest=sha256:abc', /digest/],
    ['namespace.podSecurity=strict', /podSecurity/],
  ])('refuses %s', (value, message) => {
    expect(() => chart.rendered([value])).toThrow(message)
  })

  describe.skipIf(controlPlaneAbsent())('on a server', () => {
    it.each([
      ['as it is', []],
      [
        'with everything that can be switched on',
        [
          'ingress.enabled=true',
          'ingress.host=kron.example.com',
          'ingress.tlsSecretName=kron-tls',
          'ingress.className=nginx',
          'networkPolicy.enabled=true',
          'networkPolicy.egress[0].ports[0].port=5432',
          'service.type=NodePort',
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
          'extraEnv[0].name=OTEL_EXPORTER_OTLP_ENDPOINT',
          'extraEnv[0].value=http://collector:4318',
          'extraVolumes[0].name=ca',
          'extraVolumes[0].configMap.name=ca',
          'extraVolumeMounts[0].name=ca',
          'extraVolumeMounts[0].mountPath=/certificates',
          `image.digest=sha256:${'a'.repeat(64)}`,
        ],
      ],
    ])('is accepted %s', async (_, values) => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('helm')
      const input = chart.rendered(values, namespace)
      const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })
      expect(applied).toMatchObject({ code: 0, stderr: '' })
      for (const role of roles) {
        expect(applied.stdout).toContain(`deployment.apps/kron-server-${role} created`)
      }
    })

    it('is installed, says how to go on, is upgraded, and leaves nothing but its Secret', async () => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('release')
      const cluster = { kubeconfig: plane.kubeconfigFile(), namespace }
      const none = roles.map((role) => `${role}.replicas=0`)
      const kubectl = async (...args: string[]) =>
        (await plane.kubectl(['--namespace', namespace, ...args])).stdout
      const secret = ['--from-literal=database=postgres://a/b', '--from-literal=sealing-key=c']
      await kubectl('create', 'secret', 'generic', 'kron-server', ...secret)

      const installed = chart.release('install', cluster, none)
      expect(installed).toMatchObject({ status: 0 })
      expect(installed.output).toContain(
        `kubectl --namespace ${namespace} port-forward service/kron-server 7077:7077`,
      )
      expect(installed.output).toContain('Without a planner old runs are never pruned')

      const outside = ['ingress.host=kron.example.com', 'ingress.tlsSecretName=kron-tls']
      const values = [...none, 'planner.replicas=1', 'ingress.enabled=true', ...outside]
      const upgraded = chart.release('upgrade', cluster, values)
      expect(upgraded).toMatchObject({ status: 0 })
      expect(upgraded.output).toContain('kron --server https://kron.example.com jobs')
      expect(upgraded.output).not.toContain('Without a planner')

      expect(chart.release('uninstall', cluster)).toMatchObject({ status: 0 })
      const kinds = 'deployments,services,serviceaccounts,ingresses,poddisruptionbudgets,secrets'
      const left = await kubectl('get', kinds, '--output', 'name')
      expect(left.split('\n').filter((line) => line.includes('kron-server'))).toEqual([
        'secret/kron-server',
      ])
    })

    it('has Pods that fit the standard which its namespace enforces', async () => {
      const plane = await sharedControlPlane()
      const namespace = await plane.createNamespace('restricted')
      const none = roles.map((role) => `${role}.replicas=0`)
      const apply = (values: readonly string[]) => {
        const input = chart.rendered([...none, 'namespace.create=true', ...values], namespace)
        return plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input })
      }
      expect(await apply([])).toMatchObject({ code: 0, stderr: '' })
      // The server says so if they do not.
      const careless = await apply(['securityContext.allowPrivilegeEscalation=true'])
      expect(careless.stderr).toContain('would violate PodSecurity "restricted')
    })
  })
})
