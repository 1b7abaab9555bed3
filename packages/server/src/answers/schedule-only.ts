import type { Endpoint } from '../domain/index.js'

/** The endpoint without what would be sent, which is most of it: for those who hold very many. */
export function scheduleOnly(endpoint: Endpoint): Endpoint {
  const { definition } = endpoint
  const nothing = { description: null, url: '', headers: {}, body: null }
  return { ...endpoint, definition: { ...definition, ...nothing } }
}
