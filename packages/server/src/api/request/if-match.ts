import type { VersionCondition } from '../../use-cases/index.js'
import { ApiError } from '../problem.js'

const tags = /^(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*$/

/** What the header may be, as a regular expression. */
export const ifMatchPattern = `^\\s*\\*\\s*$|${tags.source}`

const maxCharacters = 1000

/** The versions that an If-Match header names. A weak tag matches none: it may not change. */
export function versionCondition(header: string | undefined): VersionCondition {
  if (header === undefined || header.trim() === '*') return null
  const text = header.trim()
  if (text.length > maxCharacters || !tags.test(text)) {
    const message = 'if-match must be * or entity tags such as "3"'
    const errors = [{ field: 'if-match', code: 'invalid_format', message }]
    throw new ApiError('validation_failed', message, { errors })
  }
  return [...text.matchAll(/(W\/)?"(\d{1,15})"/g)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version))
}

export function entityTag(version: number): string {
  return `"${version}"`
}
