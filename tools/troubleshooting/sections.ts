import { existsSync } from 'node:fs'
import { kronOperatorMistakes } from './kron-operator.ts'
import { kronctlMistakes } from './kronctl.ts'
import { krondMistakes } from './krond.ts'
import { krontabMistakes } from './krontab.ts'
import type { Mistake } from './mistake.ts'
import type { Section } from './page.ts'

const ofKron = new URL('./kron.ts', import.meta.url)

/** All programs, in the order of the page. */
export async function allSections(): Promise<Section[]> {
  return [
    { program: 'krontab', mistakes: krontabMistakes },
    { program: 'krond', mistakes: krondMistakes },
    { program: 'kron', mistakes: await kronMistakes() },
    { program: 'kron-operator', mistakes: kronOperatorMistakes },
    // Last: the last of its mistakes changes the cluster.
    { program: 'kronctl', mistakes: kronctlMistakes },
  ]
}

async function kronMistakes(): Promise<readonly Mistake[]> {
  if (!existsSync(ofKron)) return []
  const list = (await import(ofKron.href)) as { kronMistakes: readonly Mistake[] }
  return list.kronMistakes
}
