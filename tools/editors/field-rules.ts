import { anyOf, duration, illegal, named, type Rule, scoped, token } from './textmate-rule.ts'

const valueEnd = '(?=[ \\t]|$)'

const quoted: Rule = {
  name: scoped('string.quoted.double'),
  begin: '"',
  end: '"|(?=$)',
  patterns: [token('\\\\["\\\\]', 'constant.character.escape')],
}

const captures = (value?: string) => ({
  1: named('keyword.other.field'),
  2: named('keyword.operator.assignment'),
  ...(value !== undefined && { 3: named(value) }),
})

/** Any text, in quotes or with some of it in quotes. */
const textField = (names: string, bare = 'string.unquoted', ...first: readonly Rule[]): Rule => ({
  begin: `(${names})(=)`,
  beginCaptures: captures(),
  end: valueEnd,
  patterns: [...first, quoted, token('[^ \\t\\r\\n"]+', bare)],
})

/** What has one form. In quotes it is taken for text. */
const formedField = (names: string, form: string, scope: string): readonly Rule[] => [
  { match: `(${names})(=)(${form})${valueEnd}`, captures: captures(scope) },
  { match: `(${names})(=)([^ \\t\\r\\n"]*)${valueEnd}`, captures: captures(illegal('value')) },
  textField(names),
]

const textFields = ['command', 'description', 'cwd']
const outputs = `${anyOf(['inherit', 'discard', 'syslog'])}|file:/[^ \\t\\r\\n"]*`

/** Each field that a line may have. */
const known: readonly Rule[] = [
  ...formedField('name', '[a-z0-9/-]+', 'entity.name.function'),
  ...formedField('timeout', duration, 'constant.numeric.duration'),
  ...formedField('umask', '0?[0-7]{1,3}', 'constant.numeric.octal'),
  ...formedField('shell', 'true|false', 'constant.language.boolean'),
  ...formedField('stdout|stderr', outputs, 'string.unquoted.output'),
  ...formedField('user|group', '[A-Za-z_][A-Za-z0-9_.-]*\\$?|[0-9]{1,10}', 'string.unquoted'),
  textField(anyOf(textFields)),
  textField(
    'env',
    'string.unquoted',
    token('(?<=env=)[A-Za-z_][A-Za-z0-9_]*(?==)', 'variable.other'),
  ),
]

/** From the first `field=value` to the end of the line. */
export const fieldRules: Rule = {
  begin: '(?<![^ \\t\\r\\n)])(?=[A-Za-z_][A-Za-z0-9_-]*=)',
  end: '$',
  patterns: [
    token('(?<![^ \\t\\r\\n])#.*$', 'comment.line.number-sign'),
    ...known,
    {
      begin: '([A-Za-z_][A-Za-z0-9_-]*)(=)',
      beginCaptures: { 1: named(illegal('unknown-field')) },
      end: valueEnd,
      patterns: [quoted, token('[^ \\t\\r\\n"]+', 'string.unquoted')],
    },
    token('[^ \\t\\r\\n]+', illegal('not-a-field')),
  ],
}
