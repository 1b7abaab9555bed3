import { errors } from 'undici'
import type { ExchangeErrorCode } from './exchange.js'

/** Why an exchange ends without a response to show. Messages never hold header values. */
export class ExchangeFailure extends Error {
  readonly code: ExchangeErrorCode

  constructor(code: ExchangeErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The failure behind an error that the HTTP client reports once a connection was open. `begun` is
 * whether the response's headers had arrived.
 */
export function failureOf(error: unknown, begun: boolean): ExchangeFailure {
  if (error instanceof ExchangeFailure) return error
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>
  const text = message === '' ? 'unknown error' : message
  if (error instanceof errors.HTTPParserError) {
    // All that is wrong with it may be that it ends too early; the client has no code for that.
    return text.includes('Invalid EOF state') ? connectionEnded() : responseInvalid(text)
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return new ExchangeFailure('tls_failed', text)
  }
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return responseInvalid('the response headers are too large')
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      // Said of any flaw after a Content-Length, be it a second one.
      return begun ? connectionEnded() : responseInvalid('the response headers are not valid')
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return new ExchangeFailure('request_invalid', text)
    case 'UND_ERR_SOCKET':
      // The client's words for an answer to nothing and for a switch to another protocol.
      if (text !== 'bad response' && text !== 'bad upgrade') return connectionEnded()
      return responseInvalid(`the response is not HTTP/1.1: ${text}`)
    default:
      return new ExchangeFailure('connection_reset', text)
  }
}

const responseInvalid = (message: string): ExchangeFailure =>
  new ExchangeFailure('response_invalid', message)

const connectionEnded = (): ExchangeFailure =>
  new ExchangeFailure(
    'connection_reset',
    'the connection was closed before the whole response arrived',
  )
