import { type DistributionName, distributionParameters, distributions } from '@kron/core'
import { monthField, weekdayField } from '../../packages/core/src/cron/field.js'
import type { ModifierName } from '../../packages/core/src/schedule/modifier.js'
import {
  anyOf,
  decimal,
  duration,
  illegal,
  named,
  type Rule,
  scoped,
  token,
} from './textmate-rule.ts'

/** What a value may be, as patterns for the whole of it. */
type ValueRules = readonly Rule[]

const words = (...list: readonly string[]): Rule => token(`${anyOf(list)}$`, 'support.constant')
const durations = token(`${duration}$`, 'constant.numeric.duration')
const numbers = token(`${decimal}$`, 'constant.numeric')
const text = token('.+', 'string.unquoted')
const nothingElse = token('.+', illegal('value'))

interface Values {
  /** What the values are that have no name. */
  readonly positional: ValueRules
  readonly keys: Readonly<Record<string, ValueRules>>
}

const modes = [words('after', 'around', 'before', 'center')]
const names = [words(...(Object.keys(distributions) as DistributionName[]))]
const strategies = [words('stable', 'daily', 'weekly')]

function parameterRules(): Record<string, ValueRules> {
  const rules = Object.entries(distributionParameters).map(
    ([name, shape]): [string, ValueRules] => {
      if (shape.kind === 'word') return [name, [words(...shape.words)]]
      return [name, [shape.kind === 'number' ? numbers : durations]]
    },
  )
  return Object.fromEntries(rules)
}

const modifiers: Readonly<Record<Exclude<ModifierName, 'only' | 'avoid'>, Values>> = {
  tz: {
    positional: [token('.+', 'string.unquoted.zone')],
    keys: { zone: [token('.+', 'string.unquoted.zone')] },
  },
  win: { positional: [...modes, durations], keys: { mode: modes, duration: [durations] } },
  dist: { positional: names, keys: { name: names, ...parameterRules() } },
  seed: { positional: strategies, keys: { strategy: strategies, salt: [text] } },
  policy: {
    positional: [],
    keys: {
      concurrency: [words('forbid', 'allow', 'replace')],
      deadline: [durations],
      suspend: [words('true', 'false')],
      first: [words('wait', 'run')],
    },
  },
}

const clauseKinds = ['hours', 'dow', 'dom', 'months', 'between', 'date', 'dates']

const bareValue = '[^ \\t\\r\\n,()"]'

/** The strings of JSON. */
const quoted: Rule = {
  name: scoped('string.quoted.double'),
  begin: '"',
  end: '"|(?=$)',
  patterns: [
    token('\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})', 'constant.character.escape'),
    token('\\\\.', illegal('escape')),
  ],
}

function keyRule(key: string, values: ValueRules): Rule {
  return {
    match: `(${key})[ \\t]*(=)[ \\t]*(${bareValue}*)`,
    captures: {
      1: named('variable.parameter'),
      2: named('keyword.operator.assignment'),
      3: { patterns: [...values, nothingElse] },
    },
  }
}

function valueRules({ positional, keys }: Values): readonly Rule[] {
  return [
    quoted,
    token(',', 'punctuation.separator'),
    ...Object.entries(keys).map(([key, values]) => keyRule(key, values)),
    token(`[A-Za-z][A-Za-z0-9_-]*(?=[ \\t]*=)`, illegal('unknown-key')),
    {
      match: `${bareValue}+`,
      captures: { 0: { patterns: [...positional, nothingElse] } },
    },
    token('\\(', illegal('value')),
  ]
}

const clauseRules: readonly Rule[] = [
  quoted,
  token(';', 'punctuation.separator'),
  {
    match: `(?i:(${anyOf(clauseKinds)}))[ \\t]*(=)`,
    captures: { 1: named('variable.parameter'), 2: named('keyword.operator.assignment') },
  },
  token('[A-Za-z][A-Za-z0-9_-]*(?=[ \\t]*=)', illegal('unknown-key')),
  token('[0-9]{4}-[0-9]{2}-[0-9]{2}', 'constant.numeric.date'),
  token('[0-9]{1,2}:[0-9]{2}', 'constant.numeric.time'),
  token('[0-9]+', 'constant.numeric'),
  token(`(?i:${anyOf(weekdayField.names)})(?![A-Za-z])`, 'constant.language.weekday'),
  token(`(?i:${anyOf(monthField.names)})(?![A-Za-z])`, 'constant.language.month'),
  token('\\.\\.|-', 'keyword.operator.range'),
  token(',', 'punctuation.separator'),
  token('[^ \\t\\r\\n;)]', illegal('value')),
]

const parentheses = {
  end: '\\)|(?=$)',
  endCaptures: { 0: named('punctuation.section.parens.end') },
} as const

function modifierRule(name: string, patterns: readonly Rule[]): Rule {
  return {
    name: scoped(`meta.modifier.${name}`),
    begin: `(@${name})[ \\t]*(\\()`,
    beginCaptures: {
      1: named('entity.name.function.modifier'),
      2: named('punctuation.section.parens.begin'),
    },
    ...parentheses,
    patterns,
  }
}

export const modifierRules: readonly Rule[] = [
  ...Object.entries(modifiers).map(([name, values]) => modifierRule(name, valueRules(values))),
  ...['only', 'avoid'].map((name) => modifierRule(name, clauseRules)),
  {
    begin: '(@[A-Za-z][A-Za-z0-9_-]*)[ \\t]*(\\()',
    beginCaptures: { 1: named(illegal('unknown-modifier')) },
    ...parentheses,
    patterns: [quoted],
  },
]
