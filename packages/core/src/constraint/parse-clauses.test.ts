import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { ConfigurationError, type KronError, ValidationError } from '../errors/index.js'
import { maxClauses, maxValuesInClause, parseClauses } from './index.js'

const only = (text: unknown) => parseClauses([text], 'constraints.only')

describe('canonical clauses', () => {
  const canonical: [typed: string, canonical: string][] = [
    ['hours=8-18', 'hours=8-18'],
    ['hours=8', 'hours=8'],
    ['HOURS = 08 - 18', 'hours=8-18'],
    ['hours=10,9,8', 'hours=8-10'],
    ['hours=9,8', 'hours=8-9'],
    ['hours=20,1-3,2-5,6', 'hours=1-6,20'],
    ['hours=0-23', 'hours=0-23'],
    ['hours=5-5', 'hours=5'],
    ['dow=MON-FRI', 'dow=MON-FRI'],
    ['Dow=mon-Fri', 'dow=MON-FRI'],
    ['dow=1-5', 'dow=MON-FRI'],
    ['dow=MON-5', 'dow=MON-FRI'],
    ['dow=0', 'dow=SUN'],
    ['dow=7', 'dow=SUN'],
    ['dow=SUN', 'dow=SUN'],
    ['dow=FRI-SUN', 'dow=FRI-SUN'],
    ['dow=5-7', 'dow=FRI-SUN'],
    ['dow=0,6', 'dow=SAT-SUN'],
    ['dow=SUN-TUE', 'dow=MON-TUE,SUN'],
    ['dow=0-2', 'dow=MON-TUE,SUN'],
    ['dow=SUN-SUN', 'dow=SUN'],
    ['dow=7-7', 'dow=SUN'],
    ['dow=7-SUN', 'dow=SUN'],
    ['dow=0-7', 'dow=MON-SUN'],
    ['dow=0-6', 'dow=MON-SUN'],
    ['dow=SUN-SAT', 'dow=MON-SUN'],
    ['dow=MON-SUN', 'dow=MON-SUN'],
    ['dom=15,1', 'dom=1,15'],
    ['dom=28-31', 'dom=28-31'],
    ['months=JAN-MAR', 'months=JAN-MAR'],
    ['months=1-3,12', 'months=JAN-MAR,DEC'],
    ['months=jan,FEB', 'months=JAN-FEB'],
    ['between=22:00-06:00', 'between=22:00-06:00'],
    ['between= 8:00 - 9:59 ', 'between=08:00-09:59'],
    ['between=12:00-13:00,08:00-09:59', 'between=08:00-09:59,12:00-13:00'],
    ['between=08:00-09:59,10:00-11:00', 'between=08:00-11:00'],
    ['between=00:00-06:00,22:00-23:59', 'between=22:00-06:00'],
    ['between=22:00-06:00,12:00-13:00', 'between=12:00-13:00,22:00-06:00'],
    ['between=12:00-12:00', 'between=12:00-12:00'],
    ['between=10:00-09:59', 'between=00:00-23:59'],
    ['between=23:59-00:00', 'between=23:59-00:00'],
    ['between=00:00-00:00', 'between=00:00-00:00'],
    ['date=2026-12-24', 'date=2026-12-24'],
    ['date=2026-12-31,2026-12-24,2026-12-24', 'date=2026-12-24,2026-12-31'],
    ['date=2026-12-25,2026-12-24', 'dates=2026-12-24..2026-12-25'],
    ['dates=2026-12-24..2026-12-24', 'date=2026-12-24'],
    ['dates=2026-12-24 .. 2027-01-02', 'dates=2026-12-24..2027-01-02'],
    [
      'dates=2027-02-01..2027-02-01,2026-12-24..2026-12-31,2027-01-01..2027-01-02',
      'dates=2026-12-24..2027-01-02,2027-02-01..2027-02-01',
    ],
    ['date=2028-02-29', 'date=2028-02-29'],
    ['date=2000-02-29', 'date=2000-02-29'],
    ['date=0000-02-29', 'date=0000-02-29'],
    ['dates=0001-01-01..9999-12-31', 'dates=0001-01-01..9999-12-31'],
  ]
  it.each(canonical)('writes %s as %s', (typed, expected) => {
    expect(only(typed)).toEqual([expected])
    expect(only(expected)).toEqual([expected])
  })

  it('takes several clauses from one text, several texts, or a single text', () => {
    const all = ['hours=8-18', 'dow=MON-FRI', 'hours=20']
    expect(parseClauses(['hours=8-18 ; dow=1-5', 'hours=20'], 'constraints.only')).toEqual(all)
    expect(parseClauses('hours=8-18;dow=1-5;hours=20', 'constraints.only')).toEqual(all)
    expect(parseClauses([], 'constraints.only')).toEqual([])
  })

  it('is one text for one set of numbers, however they are listed', () => {
    const hours = fc.uniqueArray(fc.nat(23), { minLength: 1 })
    const property = fc.property(hours, fc.array(fc.nat(23)), (set, order) => {
      const shuffled = [...set].sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0))
      const sorted = [...set].sort((a, b) => a - b)
      expect(only(`hours=${shuffled.join(',')}`)).toEqual(only(`hours=${sorted.join(',')}`))
    })
    fc.assert(property, { numRuns: 200 })
  })
})

describe('malformed clauses', () => {
  const bad: [text: string, position: number, value: string, reason: string][] = [
    ['', 0, '', 'an empty clause'],
    ['hours=8;', 8, '', 'an empty clause'],
    ['hours=8;;dow=MON', 8, '', 'an empty clause'],
    ['hours', 0, 'hours', 'a clause without ='],
    ['=8', 0, '', 'unknown kind of clause'],
    ['hour=8', 0, 'hour', 'did you mean hours'],
    ['hours=8; days=MON', 9, 'days', 'unknown kind of clause'],
    ['toString=8', 0, 'toString', 'unknown kind of clause'],
    ['__proto__=8', 0, '__proto__', 'unknown kind of clause'],
    ['hours=', 6, '', 'neither a value nor a range'],
    ['hours=8,', 8, '', 'neither a value nor a range'],
    ['hours=8,,9', 8, '', 'neither a value nor a range'],
    ['hours=24', 6, '24', 'out of range'],
    ['hours=8-24', 8, '24', 'out of range'],
    ['hours=8 - 99999999999999999999', 10, '99999999999999999999', 'out of range'],
    ['hours=-1', 6, '-1', 'neither a value nor a range'],
    ['hours=8-', 6, '8-', 'neither a value nor a range'],
    ['hours=8-9-10', 6, '8-9-10', 'neither a value nor a range'],
    ['hours=1.5', 6, '1.5', 'neither a value nor a range'],
    ['hours=*', 6, '*', 'neither a value nor a range'],
    ['hours=*/2', 6, '*/2', 'neither a value nor a range'],
    ['hours=0x8', 6, '0x8', 'unknown name'],
    ['hours==8', 6, '=8', 'neither a value nor a range'],
    ['dow=8', 4, '8', 'out of range'],
    ['dow=MUN', 4, 'MUN', 'did you mean MON or SUN'],
    ['dow=MON,FRY', 8, 'FRY', 'did you mean FRI'],
    ['dow=JAN', 4, 'JAN', 'unknown name'],
    ['dom=0', 4, '0', 'out of range'],
    ['dom=32', 4, '32', 'out of range'],
    ['dom=MON', 4, 'MON', 'unknown name'],
    ['months=0', 7, '0', 'out of range'],
    ['months=13', 7, '13', 'out of range'],
    ['months=MON', 7, 'MON', 'unknown name'],
    ['between=', 8, '', 'not a range of times'],
    ['between=22:00', 8, '22:00', 'not a range of times'],
    ['between=22-6', 8, '22-6', 'not a range of times'],
    ['between=08:00-9:5', 8, '08:00-9:5', 'not a range of times'],
    ['between=08:00-24:00', 14, '24:00', 'write 23:59'],
    ['between=08:00-25:00', 14, '25:00', 'no such time'],
    ['between=08:60-09:00', 8, '08:60', 'no such time'],
    ['between=08:00-09:00,x', 20, 'x', 'not a range of times'],
    ['date=2026-02-30', 5, '2026-02-30', 'no such day'],
    ['date=2027-02-29', 5, '2027-02-29', 'no such day'],
    ['date=1900-02-29', 5, '1900-02-29', 'no such day'],
    ['date=2026-13-01', 5, '2026-13-01', 'no such day'],
    ['date=2026-00-01', 5, '2026-00-01', 'no such day'],
    ['date=2026-01-00', 5, '2026-01-00', 'no such day'],
    ['date=2026-1-1', 5, '2026-1-1', 'not a date'],
    ['date=24.12.2026', 5, '24.12.2026', 'not a date'],
    ['date=2026-12-24,', 16, '', 'not a date'],
    ['date=2026-12-24..2026-12-26', 5, '2026-12-24..2026-12-26', 'write dates=2026-12-24..'],
    ['dates=2026-12-24', 6, '2026-12-24', 'not a range of dates'],
    ['dates=2026-12-24..', 18, '', 'not a date'],
    ['dates=2026-12-24..2026-12-32', 18, '2026-12-32', 'no such day'],
    ['dates=2026-12-24..2026-12-25..2026-12-26', 6, '', 'not a range of dates'],
    ['dates=2027-01-02..2026-12-24', 6, '', 'write dates=2026-12-24..2027-01-02'],
  ]
  it.each(bad)('refuses %j at %d', (text, position, value, reason) => {
    const error = failure(() => parseClauses(['hours=1', text], 'constraints.avoid'))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.code).toBe('KRON_CONSTRAINT_INVALID')
    expect(error.details).toMatchObject({ field: 'constraints.avoid[1]', position, text })
    expect(error.details['length']).toBe(Math.max(1, `${error.details.value}`.length))
    expect(error.details.allowed).toMatch(/=/)
    if (value !== '') expect(error.details.value).toBe(value)
    expect(error.message).toContain(reason)
  })

  const backwards: [text: string, proposal: string][] = [
    ['hours=22-6', 'between=22:00-06:59'],
    ['hours=23-0', 'between=23:00-00:59'],
    ['dow=SAT-MON', 'dow=MON,SAT-SUN'],
    ['dow=6-1', 'dow=MON,SAT-SUN'],
    ['dow=5-0', 'dow=FRI-SUN'],
    ['dow=7-2', 'dow=MON-TUE,SUN'],
    ['dom=28-3', 'dom=1-3,28-31'],
    ['months=NOV-FEB', 'months=JAN-FEB,NOV-DEC'],
  ]
  it.each(backwards)('refuses the backwards %s and proposes %s', (text, proposal) => {
    const error = failure(() => only(text))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.code).toBe('KRON_CONSTRAINT_INVALID')
    expect(error.details['proposal']).toBe(proposal)
    expect(error.message).toContain(`goes backwards`)
    expect(error.message).toContain(`write ${proposal}`)
    expect(only(proposal)).toEqual([proposal])
  })

  it('counts clauses over all texts', () => {
    const full = Array.from({ length: maxClauses }, () => 'hours=1')
    expect(parseClauses(full, 'constraints.only')).toHaveLength(maxClauses)
    const inOneText = `${full.join(';')};hours=1`
    for (const texts of [[...full, 'hours=1'], inOneText, new Array(1e9)]) {
      const error = failure(() => parseClauses(texts, 'constraints.only'))
      expect(error).toBeInstanceOf(ValidationError)
      expect(error.code).toBe('KRON_CONSTRAINT_LIMIT')
      expect(error.details.field).toBe('constraints.only')
    }
  })

  it('limits the values of one clause', () => {
    const list = (count: number) => `hours=${Array.from({ length: count }, () => '1').join(',')}`
    expect(only(list(maxValuesInClause))).toEqual(['hours=1'])
    const error = failure(() => only(list(maxValuesInClause + 1)))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.code).toBe('KRON_CONSTRAINT_LIMIT')
    expect(error.details).toMatchObject({ field: 'constraints.only[0]', position: 0 })
  })

  const revoked = Proxy.revocable([], {})
  revoked.revoke()
  const throwing = new Proxy(['hours=1'], {
    get() {
      throw new Error('trap')
    },
  })
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 8],
    ['an object', { 0: 'hours=1', length: 1 }],
    ['a symbol', Symbol('hours=1')],
    ['a revoked proxy', revoked.proxy],
    ['a proxy that throws', throwing],
  ])('refuses %s in place of a list', (_, value) => {
    const error = failure(() => parseClauses(value, 'constraints.only'))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.code).toBe('KRON_FIELD_INVALID')
    expect(error.details.field).toBe('constraints.only')
  })

  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tried
  it.each([[['hours=1', , 'hours=2']], [['hours=1', null]], [['hours=1', Symbol('x')]]])(
    'refuses %j, an item that is not text',
    (texts) => {
      const error = failure(() => parseClauses(texts, 'constraints.only'))
      expect(error).toBeInstanceOf(ValidationError)
      expect(error.code).toBe('KRON_CONSTRAINT_INVALID')
      expect(error.details.field).toBe('constraints.only[1]')
    },
  )

  it('answers any text with canonical clauses or a typed error', () => {
    const alphabet = [...'hoursdwmnthbeaMONJAN0123456789:-.,;= ']
    const text = fc.string({ unit: fc.constantFrom(...alphabet, 'hours=', 'between=', 'dow=') })
    const property = fc.property(text, (typed) => {
      let clauses: string[]
      try {
        clauses = only(typed)
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError)
        const { position, length } = (error as KronError).details as Record<string, unknown>
        expect(position).toBeLessThanOrEqual(typed.length)
        expect(length).toBeGreaterThanOrEqual(1)
        return
      }
      expect(parseClauses(clauses, 'constraints.only')).toEqual(clauses)
    })
    fc.assert(property, { numRuns: 3000 })
  })
})
