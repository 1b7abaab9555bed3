/**
 * Names in lower case. They frame the message or belong to the connection, and are set by the
 * dispatcher alone: a second opinion on them splits requests.
 */
export const framingHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
