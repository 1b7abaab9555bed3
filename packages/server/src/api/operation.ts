import type { z } from '@hono/zod-openapi'
import type { Caller } from '../access/index.js'
import type { Scope } from '../domain/index.js'
import type { PageRequest } from '../store/index.js'
import type { Call, VersionCondition } from '../use-cases/index.js'
import type { AnswerHeader } from './answer-headers.js'
import type { ApiContext, ApiPorts } from './api-ports.js'
import type { ProblemCode } from './problem.js'

/** What an operation is given, checked by its schemas. */
export interface Given<Query, Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly condition: VersionCondition
  /** For operations that list something. */
  readonly page: PageRequest
  /** Names the list that is being read, with all of its filters. */
  readonly list: string
}

export interface Answer {
  readonly status: number
  /** Becomes JSON; undefined is no body at all. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** How a good answer looks, for the document. */
export interface AnswerSpec {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  readonly schema?: z.ZodType
  readonly example?: unknown
  /** Instead of JSON. */
  readonly contentType?: string
  /** Beyond those that every answer of its kind has. */
  readonly headers?: readonly AnswerHeader[]
}

interface Spec<Query extends z.ZodType, Body extends z.ZodType> {
  readonly operationId: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api/v1, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** As how many requests it counts, where it is much more work than others. */
  readonly cost?: number
  /** null: no key is needed. */
  readonly scope: Scope | null
  /** The path does not exist where sign-up is closed. */
  readonly needsSignup?: boolean
  readonly query?: Query
  readonly body?: Body
  /** Whether it may be left out, which is the same as an empty object. */
  readonly bodyOptional?: boolean
  readonly bodyExample?: unknown
  readonly answer: AnswerSpec
  /** Another good answer, of another status. */
  readonly otherAnswer?: AnswerSpec
  /** Beyond those that every operation may have. */
  readonly problems?: readonly ProblemCode[]
  /** Honours If-Match. */
  readonly conditional?: boolean
  /** The answer holds a secret that is shown once, and is sealed wherever it is kept. */
  readonly secretAnswer?: boolean
}

export interface Asked {
  readonly context: ApiContext
  readonly ports: ApiPorts
  readonly caller: Caller
}

export type AskedByAnybody = Omit<Asked, 'caller'>

/** The usual kind: all in one transaction of the caller's tenant. */
export interface Transacted<Query, Body> {
  transact(call: Call, given: Given<Query, Body>, asked: Asked): Promise<Answer>
  /** Once the transaction has committed. */
  afterwards?(given: Given<Query, Body>, asked: Asked): void
}

/** The other kind: it answers by itself. */
export interface Answered<Query, Body> {
  respond(given: Given<Query, Body>, asked: Asked): Promise<Response>
}

/** For operations that need no key. */
export interface Opened<Query, Body> {
  open(given: Given<Query, Body>, asked: AskedByAnybody): Promise<Response>
  /** Before anything is read. */
  admit?(asked: AskedByAnybody): void
}

export type Operation = Spec<z.ZodType, z.ZodType> &
  (Transacted<unknown, unknown> | Answered<unknown, unknown> | Opened<unknown, unknown>)

/** Declares an operation; what its schemas say is what its code gets. */
export function operation<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  declared: Spec<Query, Body> &
    (
      | Transacted<z.output<Query>, z.output<Body>>
      | Answered<z.output<Query>, z.output<Body>>
      | Opened<z.output<Query>, z.output<Body>>
    ),
): Operation {
  return declared as unknown as Operation
}
