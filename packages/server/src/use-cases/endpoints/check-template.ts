import { KronError } from '@kron/core'
import { compileTemplate, type TemplatePlace, type TemplateValues } from '../../dispatch/index.js'
import type { FieldError } from '../service-error.js'

/** What is wrong with the placeholders of a text. */
export function checkTemplate(
  field: string,
  text: string,
  place: TemplatePlace,
): readonly FieldError[] {
  try {
    compileTemplate(text, place, field)
    return []
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const { position } = error.details
    // A header's text is a secret, so not even a part of it is repeated.
    const message =
      place === 'header' ? `${field} has a placeholder that does not exist` : error.message
    const where = typeof position === 'number' && { position }
    return [{ field, code: 'placeholder_invalid', message, ...where }]
  }
}

const sample: TemplateValues = {
  runId: 'run_0',
  scheduledFor: '2026-01-01T00:00:00Z',
  attempt: 1,
}

const otherSample: TemplateValues = {
  runId: 'run_1',
  scheduledFor: '2027-02-03T04:05:06Z',
  attempt: 2,
}

/** The text as some run would send it. */
export function sampleOf(text: string, place: TemplatePlace): string {
  return compileTemplate(text, place).render(sample)
}

/** As another run would, of which every value is different. */
export function otherSampleOf(text: string, place: TemplatePlace): string {
  return compileTemplate(text, place).render(otherSample)
}
