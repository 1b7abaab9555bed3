export interface KubeconfigParts {
  readonly server: string
  /** PEM text. */
  readonly ca: string
  readonly user: string
  readonly token: string
  readonly namespace?: string | undefined
}

/** JSON, which is YAML as well. */
export function kubeconfigOf({ server, ca, user, token, namespace }: KubeconfigParts): string {
  const name = 'kron-test'
  const authority = Buffer.from(ca).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user, namespace } }],
    'current-context': name,
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
