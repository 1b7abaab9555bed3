import type { Random } from './random.js'

interface FieldShape {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
  /** How often the field is a bare `*`. */
  readonly star: number
}

const minuteShape: FieldShape = { min: 0, max: 59, names: [], star: 0.15 }
const hourShape: FieldShape = { min: 0, max: 23, names: [], star: 0.35 }
const dayShape: FieldShape = { min: 1, max: 31, names: [], star: 0.45 }
const monthShape: FieldShape = {
  min: 1,
  max: 12,
  names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  star: 0.5,
}
const weekdayShape: FieldShape = {
  min: 0,
  max: 7,
  names: 'SUN MON TUE WED THU FRI SAT'.split(' '),
  star: 0.5,
}
const macros = '@hourly @daily @midnight @weekly @monthly @yearly @annually'.split(' ')
const separators = [' ', ' ', ' ', '  ', '\t', ' \t ']

/** Any valid expression of the `standard` dialect. */
export function randomStandard(random: Random): string {
  if (random.chance(0.03)) return anyCase(random, random.pick(macros))
  return join(random, [
    field(random, minuteShape),
    field(random, hourShape),
    field(random, dayShape),
    field(random, monthShape),
    field(random, weekdayShape),
  ])
}

/** Any valid expression of the `extended` dialect, with or without seconds. */
export function randomExtended(random: Random): string {
  const fields = [
    field(random, minuteShape),
    field(random, hourShape),
    random.chance(0.5) ? quartzList(random, quartzDay, dayShape) : field(random, dayShape),
    field(random, monthShape),
    random.chance(0.5) ? quartzList(random, quartzWeekday, weekdayShape) : '?',
  ]
  if (random.chance(0.4)) fields.unshift(field(random, minuteShape))
  return join(random, fields)
}

function join(random: Random, fields: readonly string[]): string {
  const joined = fields.reduce((text, next) => text + random.pick(separators) + next)
  return random.chance(0.05) ? `\t ${joined}  ` : joined
}

function field(random: Random, shape: FieldShape): string {
  if (random.chance(shape.star)) return '*'
  return list(random, () => element(random, shape))
}

function list(random: Random, next: () => string): string {
  const length = random.chance(0.6) ? 1 : random.between(2, 4)
  return Array.from({ length }, next).join(',')
}

function element(random: Random, shape: FieldShape): string {
  const kind = random.between(0, 9)
  if (kind <= 4) return value(random, shape, random.between(shape.min, shape.max))
  if (kind === 5) return `*/${random.between(1, shape.max + 5)}`
  const low = random.between(shape.min, shape.max)
  const high = random.between(low, shape.max)
  const range = `${value(random, shape, low)}-${rangeEnd(random, shape, low, high)}`
  return kind <= 7 ? range : `${range}/${random.between(1, 1 + shape.max - shape.min)}`
}

/** SUN as the end of a range means 7, so 0 is not written by name there. */
function rangeEnd(random: Random, shape: FieldShape, low: number, high: number): string {
  const isSunday = shape === weekdayShape && high === 7 && low > 0
  return isSunday && random.chance(0.5) ? anyCase(random, 'SUN') : value(random, shape, high)
}

function value(random: Random, shape: FieldShape, number: number): string {
  const name = shape.names[number - (shape.min === 1 ? 1 : 0)]
  if (name !== undefined && random.chance(0.4)) return anyCase(random, name)
  return random.chance(0.1) ? `0${number}` : `${number}`
}

function anyCase(random: Random, text: string): string {
  const kind = random.between(0, 2)
  if (kind === 0) return text.toUpperCase()
  return kind === 1 ? text.toLowerCase() : text[0]! + text.slice(1).toLowerCase()
}

function quartzList(random: Random, token: (random: Random) => string, shape: FieldShape): string {
  return list(random, () => (random.chance(0.8) ? token(random) : element(random, shape)))
}

function quartzDay(random: Random): string {
  const token = random.pick(['L', 'LW', 'W', 'W'])
  return anyCase(random, token === 'W' ? `${random.between(1, 31)}W` : token)
}

function quartzWeekday(random: Random): string {
  const weekday = value(random, weekdayShape, random.between(0, 7))
  return random.chance(0.5)
    ? `${weekday.replace(/^0(?=\d)/, '')}${random.pick(['L', 'l'])}`
    : `${weekday.replace(/^0(?=\d)/, '')}#${random.between(1, 5)}`
}
