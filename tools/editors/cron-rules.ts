import {
  dayField,
  type Field,
  hourField,
  minuteField,
  monthField,
  weekdayField,
} from '../../packages/core/src/cron/field.js'
import { anyOf, illegal, named, type Rule, scoped, token } from './textmate-rule.ts'

const macros = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually']

const blank = '[ \\t]'
/** A word of the cron expression: no modifier, and not yet the first `field=value`. */
const word = '(?![A-Za-z_][A-Za-z0-9_-]*=)([^ \\t\\r\\n@]+)'
const wordEnd = '(?![A-Za-z0-9])'

/** Sunday is 0 and 7. */
const lastOf = ({ name, max }: Field): number => (name === 'weekday' ? 7 : max)

function numbersOf(field: Field): string {
  const count = lastOf(field) - field.min + 1
  return anyOf(Array.from({ length: count }, (_, index) => String(field.min + index)))
}

function fieldRule(field: Field): Rule {
  const names =
    field.names.length === 0
      ? []
      : [token(`(?i:${anyOf(field.names)})${wordEnd}`, `constant.language.${field.name}`)]
  return {
    name: scoped(`meta.cron.${field.name}`),
    patterns: [
      token('\\*', 'keyword.operator.wildcard'),
      {
        match: '(/)(0*[1-9][0-9]*)',
        captures: { 1: named('keyword.operator.step'), 2: named('constant.numeric.step') },
      },
      token(`0*${numbersOf(field)}${wordEnd}`, `constant.numeric.${field.name}`),
      ...names,
      token(',', 'punctuation.separator.list'),
      token('-', 'keyword.operator.range'),
      token('[^,]+', illegal(field.name)),
    ],
  }
}

const fields = [minuteField, hourField, dayField, monthField, weekdayField]

/** What stands before the modifiers: five fields, or a macro. */
export const cronRules: readonly Rule[] = [
  {
    match: `^${blank}*${fields.map(() => word).join(`${blank}+`)}`,
    captures: Object.fromEntries(fields.map((field, index) => [index + 1, fieldRule(field)])),
  },
  {
    match: `^${blank}*(?i:(${anyOf(macros)}))(?![A-Za-z0-9_-])`,
    captures: { 1: named('constant.language.macro') },
  },
]
