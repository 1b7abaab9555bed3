import { answerHeaders } from '../../src/api/answer-headers.js'

export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Documented {
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Documented>>>>

/** What the document says about the answers that come back. */
export class DocumentedAnswers {
  readonly #routes: readonly (readonly [RegExp, Readonly<Record<string, Documented>>])[]

  constructor(paths: Paths) {
    this.#routes = Object.entries(paths).map(([path, byMethod]) => {
      const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+')
      return [new RegExp(`^${pattern}$`), byMethod] as const
    })
  }

  /** What an answer has that the document does not, or null. */
  flawOf(
    method: string,
    path: string,
    { status, headers }: { readonly status: number; readonly headers: Headers },
  ): string | null {
    const { pathname } = new URL(path, 'http://localhost')
    const route = this.#routes.find(([pattern]) => pattern.test(pathname))?.[1]
    const operation = route?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    // Neither an unknown path nor an unknown method is in the document.
    if (operation === undefined) return status === 404 || status === 405 ? null : 'not documented'
    const response = operation.responses[status]
    if (response === undefined) return `the status ${status} is not documented`
    const names = Object.keys(answerHeaders).filter((name) => headers.has(name))
    const missing = names.find((name) => response.headers?.[name] === undefined)
    return missing === undefined ? null : `the header ${missing} of ${status} is not documented`
  }
}
