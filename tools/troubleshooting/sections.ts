import { kronMistakes } from './kron.ts'
import { kronOperatorMistakes } from './kron-operator.ts'
import { kronctlMistakes } from './kronctl.ts'
import { krondMistakes } from './krond.ts'
import { krontabMistakes } from './krontab.ts'
import type { Section } from './page.ts'

/** All programs, in the order of the page. */
export const allSections: readonly Section[] = [
  { program: 'krontab', mistakes: krontabMistakes },
  { program: 'krond', mistakes: krondMistakes },
  { program: 'kron', mistakes: kronMistakes },
  { program: 'kron-operator', mistakes: kronOperatorMistakes },
  // Last: the last of its mistakes changes the cluster.
  { program: 'kronctl', mistakes: kronctlMistakes },
]
