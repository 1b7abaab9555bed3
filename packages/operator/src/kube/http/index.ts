export { type ConnectOptions, connectKube, type KubeConnection } from './connect-kube.js'
export type { Access, AccessSource, TlsOptions } from './credentials.js'
export { HttpKubeApi, type HttpKubeApiOptions } from './http-kube-api.js'
export type { ObservedRequest, TransportOptions } from './transport.js'
