import { cronRules } from './cron-rules.ts'
import { fieldRules } from './field-rules.ts'
import { modifierRules } from './modifier-rules.ts'
import { illegal, type Rule, token } from './textmate-rule.ts'

export const scopeName = 'source.krontab'

interface Grammar {
  readonly name: string
  readonly scopeName: string
  readonly fileTypes: readonly string[]
  readonly patterns: readonly Rule[]
}

/** A comment, or a job: a schedule with its modifiers, and the fields after it. */
export const krontabGrammar: Grammar = {
  name: 'krontab',
  scopeName,
  fileTypes: ['krontab'],
  patterns: [
    token('^[ \\t]*#.*$', 'comment.line.number-sign'),
    {
      begin: '^(?=[ \\t]*[^ \\t\\r\\n])',
      end: '$',
      patterns: [
        ...cronRules,
        fieldRules,
        ...modifierRules,
        token('@?[^ \\t\\r\\n@]+|@', illegal('schedule')),
      ],
    },
  ],
}
