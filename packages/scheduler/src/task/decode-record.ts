import { latestInstant } from '@kron/core'
import {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
} from '../errors/index.js'
import type { TaskRecord } from './task-record.js'

/** A record as a storage gave it, checked field by field. */
export function decodeRecord(value: unknown): TaskRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TaskInvalidStructureError(
      `Task state must be an object, got ${typeName(value)}`,
      value,
    )
  }
  const stored = value as Readonly<Record<keyof TaskRecord, unknown>>
  return {
    id: wholeNumber('id', stored.id),
    name: nonEmpty('name', text('name', stored.name)),
    expression: text('expression', stored.expression),
    retryDelayMs: duration('retryDelayMs', stored.retryDelayMs),
    lastAttemptAt: instant('lastAttemptAt', stored.lastAttemptAt),
    lastSuccessAt: instant('lastSuccessAt', stored.lastSuccessAt),
    lastFailureAt: instant('lastFailureAt', stored.lastFailureAt),
    pendingRetryUntil: instant('pendingRetryUntil', stored.pendingRetryUntil),
    runningInstance:
      stored.runningInstance === null ? null : text('runningInstance', stored.runningInstance),
    // A record from before there was such a field lacks it, and is whole nevertheless.
    madeUpFor: stored.madeUpFor == null ? null : text('madeUpFor', stored.madeUpFor),
  }
}

function text(field: string, value: unknown): string {
  return typeof value === 'string' ? value : wrongType(field, value, 'string')
}

function nonEmpty(field: string, value: string): string {
  if (value === '') throw new TaskInvalidValueError(field, value, 'must not be empty')
  return value
}

function number(field: string, value: unknown, expected: string): number {
  return typeof value === 'number' ? value : wrongType(field, value, expected)
}

function wholeNumber(field: string, value: unknown): number {
  const found = number(field, value, 'number')
  if (Number.isSafeInteger(found) && found >= 0) return found
  throw new TaskInvalidValueError(field, found, 'must be a whole number, zero or more')
}

function duration(field: string, value: unknown): number {
  const found = number(field, value, 'number')
  if (found >= 0 && found <= latestInstant) return found
  throw new TaskInvalidValueError(field, found, 'must be milliseconds, zero or more')
}

function instant(field: string, value: unknown): number | null {
  if (value === null) return null
  const found = number(field, value, 'number or null')
  if (Math.abs(found) <= latestInstant) return found
  throw new TaskInvalidValueError(field, found, 'must be an instant in epoch milliseconds')
}

function wrongType(field: string, value: unknown, expected: string): never {
  if (value === undefined) throw new TaskMissingFieldError(field)
  throw new TaskInvalidTypeError(field, value, expected, typeName(value))
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
