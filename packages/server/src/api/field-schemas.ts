import { z } from '@hono/zod-openapi'
import { KronError, parseInstant } from '@kron/core'
import {
  hiddenCharacter,
  instantText,
  isWritable,
  maxNameLength,
  namePattern,
} from '../domain/index.js'

const visible = /\S/

export const nameText = z
  .string()
  .min(1)
  .max(maxNameLength)
  .regex(visible, 'must not be blank')
  .superRefine((name, context) => {
    const found = hiddenCharacter(name)
    if (found === null) return
    const { words: message, position } = found
    context.addIssue({ code: 'custom', message, params: { code: 'invalid_character', position } })
  })
  .openapi({ example: 'Sync users', pattern: namePattern })

export const longText = z.string().max(2000)

export const reasonText = z.string().max(500).openapi({ example: 'High failure rate detected' })

/** RFC 3339 with a zone, as epoch milliseconds. */
export const instantIn = z
  .string()
  .max(64)
  .transform((text, context) => {
    const refused = (message: string, code: string): never => {
      context.addIssue({ code: 'custom', message, params: { code } })
      return z.NEVER
    }
    try {
      const instant = parseInstant(text)
      if (isWritable(instant)) return instant
      return refused('must be in a year from 0000 to 9999 in UTC', 'out_of_range')
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      const form = 'must be an RFC 3339 time with its offset, such as 2026-03-01T02:32:20Z'
      return refused(form, error.code)
    }
  })
  .openapi({ type: 'string', format: 'date-time', example: '2026-03-01T02:32:20Z' })

/** The same, where null has a meaning of its own. */
export const instantOrNullIn = instantIn
  .nullable()
  .openapi({ type: ['string', 'null'], format: 'date-time', example: '2026-03-01T02:32:20Z' })

export const instantOut = z
  .string()
  .openapi({ format: 'date-time', example: '2026-03-01T02:32:20Z' })

export const textOrNull = (instant: number | null): string | null =>
  instant === null ? null : instantText(instant)

/** A whole number in a query. */
export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      message,
      params: { code: 'out_of_range' },
    })
    .transform(Number)
    .openapi({ type: 'integer', minimum: least, maximum: most })
}

export const switchText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .openapi({ type: 'string', enum: ['true', 'false'] })

/** A parameter that may come several times. */
export function repeatable<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item).max(20))
}
