import type { Dialect } from '../src/cron/dialect.js'

export interface InvalidGroup {
  readonly rule: string
  readonly dialects: readonly Dialect[]
  /** The field that every error of the group names. */
  readonly field: string
  readonly expressions: readonly string[]
}

const all: readonly Dialect[] = ['posix', 'standard', 'extended']
const posix: readonly Dialect[] = ['posix']
const plain: readonly Dialect[] = ['posix', 'standard']
const rich: readonly Dialect[] = ['standard', 'extended']
const extended: readonly Dialect[] = ['extended']

const positions = ['minute', 'hour', 'day', 'month', 'weekday']

/** Expressions that are fine but for one field, given as values separated by blanks. */
function inField(
  rule: string,
  dialects: readonly Dialect[],
  field: string,
  values: string,
): InvalidGroup {
  const before = '* '.repeat(positions.indexOf(field))
  const after = ' *'.repeat(positions.length - 1 - positions.indexOf(field))
  const expressions = values.split(' ').map((value) => `${before}${value}${after}`)
  return { rule, dialects, field, expressions }
}

const asExpression = (
  rule: string,
  dialects: readonly Dialect[],
  expressions: readonly string[],
): InvalidGroup => ({ rule, dialects, field: 'expression', expressions })

const fieldCount: readonly InvalidGroup[] = [
  asExpression('1: not five fields', all, [
    '',
    ' ',
    '\t',
    ' \t \t ',
    '*',
    '* *',
    '* * *',
    '* * * *',
    '0 0 * *',
    '  0 0 1 1  ',
    '0\t0\t1\t1',
    '* * * * * * *',
    '0 0 1 1 0 2026 1',
    '0 0 1 1 0 2026 1 1',
    '*/5',
    'every day at noon',
    '0;0;1;1;0',
    '0,0,1,1,0',
    '0\n0\n1\n1\n0',
    '0\u00a00\u00a01\u00a01\u00a00',
    '*'.repeat(200),
    '* '.repeat(100),
    `${'0,'.repeat(511)}0 * * * *`,
  ]),
  asExpression('1: not five fields', plain, [
    '* * * * * *',
    '0 0 0 * * *',
    '0 0 1 1 0 2026',
    '0 0 1 1 0 root',
    '* * * * * command',
  ]),
  {
    rule: '1: a blank that is none',
    dialects: all,
    field: 'weekday',
    expressions: [
      '* * * * *\n',
      '* * * * *\r\n',
      '* * * * 1\u00a0',
      '* * * * 1\u3000',
      '* * * * 1\v',
      '* * * * 1\f',
      '* * * * 1\u2003',
      '* * * * 1\ufeff',
    ],
  },
  {
    rule: '1: a blank that is none',
    dialects: all,
    field: 'minute',
    expressions: ['\n* * * * *', '\ufeff* * * * *', '\u00a00 * * * *', '0\u00a0 * * * *'],
  },
]

const steps: readonly InvalidGroup[] = [
  inField('2: steps', posix, 'minute', '*/15 */1 */5 0-59/2 0/15 1,2/3 */5,7 /5 */ */0'),
  inField('2: steps', posix, 'hour', '*/2 0-23/2 8/2 */24'),
  inField('2: steps', posix, 'day', '*/2 1-31/7 1/10'),
  inField('2: steps', posix, 'month', '*/3 1-12/3 1/3'),
  inField('2: steps', posix, 'weekday', '*/2 1-5/2 0/2'),
  inField('2: steps, malformed', rich, 'minute', '*/ */0 */00 */x */-5 */+5 */5.0 */1e1 /5 / //5'),
  inField(
    '2: steps, malformed',
    rich,
    'minute',
    '*//5 */5/5 */5-10 */* 0-30/ 0-30/0 0-30/0,5 5,*/',
  ),
  inField('2: steps, malformed', rich, 'hour', '*/ */0 */a 1-5/ 1-5/0 1-5/-1 1-/2 -5/2'),
  inField('2: steps, malformed', rich, 'day', '*/ */0 1-31/0 */2/2'),
  inField('2: steps, malformed', rich, 'month', '*/ */0 JAN-DEC/0 JAN-/2 */FEB'),
  inField('2: steps, malformed', rich, 'weekday', '*/ */0 MON-FRI/0 1-5/ */MON */7x'),
  inField('2: steps after a single value', ['standard'], 'minute', '5/5 0/15 0/1 1,5/5 59/1'),
  inField('2: steps after a single value', ['standard'], 'weekday', '5/2 MON/2 7/2'),
]

const names: readonly InvalidGroup[] = [
  inField('3: names', posix, 'month', 'jan JAN Feb dec JAN-MAR 1-MAR JAN-3 JAN,FEB 1,feb january'),
  inField('3: names', posix, 'weekday', 'mon MON Sun sunday SUN-SAT 1-FRI MON-5 0,MON Sat MON,WED'),
  inField('3: unknown names', rich, 'month', 'MON JANUARY JA JANN FEBR DECEMBER JAN-MON x JANFEB'),
  inField(
    '3: unknown names',
    rich,
    'month',
    'JAN1 1JAN JAN--MAR JAN-FEB-MAR J\u00c4N \u{ff2a}\u{ff21}\u{ff2e}',
  ),
  inField(
    '3: unknown names',
    rich,
    'weekday',
    'JAN MONDAY MO MONN TUES THURS SUNDAY MON-JAN WEEKDAY',
  ),
  inField(
    '3: unknown names',
    rich,
    'weekday',
    'MON1 1MON MON--FRI MON-FRI-SAT \u017fUN FR\u0131 \u017fat WEDWED',
  ),
  inField('3: names elsewhere', all, 'minute', 'JAN MON x five A'),
  inField('3: names elsewhere', all, 'hour', 'MON noon 12pm H'),
  inField('3: names elsewhere', all, 'day', 'MON FEB first 1st'),
]

const macros: readonly InvalidGroup[] = [
  asExpression('4: macros', posix, [
    '@daily',
    '@hourly',
    '@weekly',
    '@monthly',
    '@yearly',
    '@annually',
    '@midnight',
    ' @daily',
    '@DAILY',
  ]),
  asExpression('4: unknown macros', all, [
    '@',
    '@@daily',
    '@reboot',
    '@every 5m',
    '@every_minute',
    '@dayly',
    '@daily @daily',
    '@daily * * * *',
    '@daily\n',
    '@daily\u00a0',
    '@daily\0',
    '@wee\u212aly',
    '@ daily',
    '@constructor',
    '@__proto__',
  ]),
  inField('4: macros in a field', all, 'weekday', '@daily 1@ @'),
  inField('4: macros in a field', all, 'minute', '0@daily'),
]

const quartz: readonly InvalidGroup[] = [
  inField('5: Quartz tokens', plain, 'day', '? L LW 15W 1W 15w L-3 l 1,L ?,1 1#2'),
  inField('5: Quartz tokens', plain, 'weekday', '? L 5L 6#3 5#1 2#1 FRIL MON#1 1L,2L 1,? W'),
  inField('5: Quartz tokens', all, 'minute', '? L W # 5L 5W 5#1 0,?'),
  inField('5: Quartz tokens', all, 'hour', '? L 5W 5#1'),
  inField('5: Quartz tokens', all, 'month', '? L LW 5W 5#1 1L'),
  inField(
    '5: Quartz tokens, malformed',
    extended,
    'day',
    '0W 32W 99W 100W W WL LL L-3 L3 1-5W 5W-7 1WW',
  ),
  inField(
    '5: Quartz tokens, malformed',
    extended,
    'day',
    '?? ?,1 1,? */L L/2 15W/2 5# #5 5#1 W15 1,,L L, \u216c',
  ),
  inField(
    '5: Quartz tokens, malformed',
    extended,
    'weekday',
    'L LW 1W 8L 9#1 5#0 5#6 5#10 5#-1 5# #1 #',
  ),
  inField(
    '5: Quartz tokens, malformed',
    extended,
    'weekday',
    '?? ?,1 MON#MON MON-FRIL 1-5L 1-5#2 5L/2 05L JANL',
  ),
  inField(
    '5: Quartz tokens, malformed',
    extended,
    'weekday',
    '\u017funL fr\u0131L \u017fun#1 WEDLL WED# LWED WED-L 5L,',
  ),
]

const sundays: readonly InvalidGroup[] = [
  inField('6: 7 for Sunday', posix, 'weekday', '7 07 0,7 4-7 0-7 7-7 1,7 5-7'),
]

const backwards: readonly InvalidGroup[] = [
  inField('7: ranges that wrap around', all, 'minute', '50-10 59-0 1-0 5,50-10 30-29'),
  inField('7: ranges that wrap around', all, 'hour', '22-6 23-0 12-11 1,22-2'),
  inField('7: ranges that wrap around', all, 'day', '31-1 25-5 2-1'),
  inField('7: ranges that wrap around', all, 'month', '11-2 12-1 2-1'),
  inField('7: ranges that wrap around', all, 'weekday', '5-1 6-0 1-0 5-2 3-2'),
  inField('7: ranges that wrap around', rich, 'minute', '50-10/5 59-0/2'),
  inField('7: ranges that wrap around', rich, 'month', 'NOV-FEB DEC-JAN 11-FEB NOV-2 Oct-sep'),
  inField(
    '7: ranges that wrap around',
    rich,
    'weekday',
    'FRI-MON SAT-FRI 7-1 7-0 7-MON SAT-0 6-MON',
  ),
]

const outside: readonly InvalidGroup[] = [
  inField('8: values out of range', all, 'minute', '60 61 99 100 0-60 60-70 5,60 0000060'),
  inField(
    '8: values out of range',
    all,
    'minute',
    '4294967296 18446744073709551616 99999999999999999999',
  ),
  inField('8: values out of range', all, 'hour', '24 25 99 0-24 12,24 20-30'),
  inField('8: values out of range', all, 'day', '0 00 32 99 0-5 1-32 1,32 31,0'),
  inField('8: values out of range', all, 'month', '0 13 99 0-12 1-13 1,13 00'),
  inField('8: values out of range', all, 'weekday', '8 9 10 0-8 1,8 77 70'),
  inField('8: values out of range', posix, 'weekday', '7 6-7'),
]

const formats: readonly InvalidGroup[] = [
  inField(
    '9: not decimal',
    all,
    'minute',
    '1e1 0x5 0b1 0o7 +5 -5 5.0 5. .5 1_0 1,+5 5-+7 1e0-5 5n NaN',
  ),
  inField(
    '9: not decimal',
    all,
    'minute',
    '\uff15 \u0665 \u00bd \u00b2 \u2164 \u{1d7d3} 5\u0301 \u22125',
  ),
  inField('9: not decimal', all, 'hour', '1e1 0xA +5 -5 5.0 8:30 -0 Infinity'),
  inField('9: not decimal', all, 'day', '1e1 0x5 +5 -5 5.0 1st'),
  inField('9: not decimal', all, 'month', '1e0 0x5 +5 -5 5.0'),
  inField('9: not decimal', all, 'weekday', '1e0 0x5 +5 -5 5.0 -0'),
]

const malformed: readonly InvalidGroup[] = [
  inField('malformed lists', all, 'minute', ', ,, 5, ,5 1,,2 ,5, 1,2, 1,2,,3'),
  inField('malformed lists', all, 'weekday', ', 1, ,1 1,,2'),
  inField('malformed lists', all, 'minute', '1;2 1|2 1&2 [1] {1} (1) "5" \u{1f600} \\ 5\0'),
  inField('a star that is not alone', all, 'minute', '*,5 5,* *,* ** *5 5* *-5 1-* *-* *x *?'),
  inField('a star that is not alone', all, 'day', '*,1 1,* **'),
  inField('a star that is not alone', all, 'weekday', '*,1 1,* ** *MON *7'),
  inField(
    'malformed ranges',
    all,
    'minute',
    '1- - -- 1--3 1-3-5 1-,5 -,5 1-- 1-x 1\u20135 1..5 1~5',
  ),
  inField('malformed ranges', all, 'hour', '1- -1 1--3 1-3-5 -'),
  inField('malformed ranges', all, 'day', '1- -1 1--3 1-3-5 -'),
  inField('malformed ranges', all, 'month', '1- -1 1--3 1-3-5 -'),
  inField('malformed ranges', all, 'weekday', '1- -1 1--3 1-3-5 - 1,2-'),
  inField('lone surrogates', all, 'weekday', '\ud800 1\udc00 1-\ud83d'),
]

const seconds: readonly InvalidGroup[] = [
  {
    rule: 'the seconds field',
    dialects: extended,
    field: 'second',
    expressions: [
      '60',
      '-1',
      'x',
      '*,5',
      '5-1',
      '*/0',
      '1-',
      '?',
      'L',
      '1e1',
      '5,',
      'MON',
      '60/5',
    ].map((value) => `${value} * * * * *`),
  },
  {
    rule: 'the fields after seconds',
    dialects: extended,
    field: 'weekday',
    expressions: [
      '0 0 0 1 1 8',
      '0 0 0 1 1 2026',
      '0 0 0 1 1 L',
      '0 0 0 1 1 MONDAY',
      '0 0 0 1 1 1-',
    ],
  },
  {
    rule: 'the fields after seconds',
    dialects: extended,
    field: 'minute',
    expressions: ['0 60 * * * *', '0 ? * * * *', '0 1- * * * *'],
  },
]

export const invalidGroups: readonly InvalidGroup[] = [
  fieldCount,
  steps,
  names,
  macros,
  quartz,
  sundays,
  backwards,
  outside,
  formats,
  malformed,
  seconds,
].flat()
