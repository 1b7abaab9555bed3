import { type ExitCode, exitCodes } from '@kron/command'

/** One thing that was wrong with a request. */
export interface FieldProblem {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly position?: number
}

/** What the server answers when it does not do what it was asked for. */
export interface ProblemDocument {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldProblem[]
  readonly requestId: string | null
}

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly problem: ProblemDocument
  /** What was sent, to point into. */
  readonly sent: unknown

  constructor(problem: ProblemDocument, sent: unknown) {
    super(problem.detail)
    this.problem = problem
    this.sent = sent
  }

  get exitCode(): ExitCode {
    const { status, code } = this.problem
    if (status === 429 || status >= 500) return exitCodes.unavailable
    if (code === 'quota_exceeded' || code === 'system_quota_exceeded') return exitCodes.refused
    return [401, 403, 404].includes(status) ? exitCodes.input : exitCodes.refused
  }
}

/** null when the text is no problem of ours: a proxy may have answered in the server's place. */
export function readProblem(status: number, text: string): ProblemDocument | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { code, title, detail, errors, requestId } = value as Record<string, unknown>
  if (typeof code !== 'string') return null
  return {
    status,
    code,
    title: textOf(title, code),
    detail: textOf(detail, textOf(title, code)),
    errors: Array.isArray(errors) ? errors.filter(isFieldProblem) : [],
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise

function isFieldProblem(value: unknown): value is FieldProblem {
  const { field, message } = (value ?? {}) as Record<string, unknown>
  return typeof field === 'string' && typeof message === 'string'
}
