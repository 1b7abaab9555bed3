import type { Job } from '@kron/core'
import {
  type FieldText,
  fieldTexts,
  type Notation,
  type Place,
  type SchedulePart,
  type Subject,
} from '@kron/preview'
import type { FieldPath } from '../../kronjob/manifest/problem.js'
import type { ManifestObject } from '../manifest/index.js'

const paths: Readonly<Record<SchedulePart, FieldPath>> = {
  window: ['spec', 'window'],
  distribution: ['spec', 'distribution'],
  seed: ['spec', 'seed'],
  only: ['spec', 'constraints', 'only'],
  avoid: ['spec', 'constraints', 'avoid'],
}

const schedulePath: FieldPath = ['spec', 'schedule']

/** The schedule of a KronJob in the manifest it is written in. */
export class ManifestSubject implements Subject {
  readonly job: Job
  readonly fields: readonly FieldText[] | null
  readonly notation: Notation
  readonly object: ManifestObject

  constructor(job: Job, object: ManifestObject, notation: Notation) {
    this.job = job
    this.object = object
    this.notation = notation
    this.fields = fieldTexts(job.spec.schedule)
  }

  cronPlace(first?: number, last = first): Place {
    const scalar = this.object.scalar(schedulePath)
    const whole = this.object.valuePlace(schedulePath)
    if (scalar === null || first === undefined || last === undefined) return whole
    const at = scalar.text.indexOf(this.job.spec.schedule)
    // Escapes and folded lines are not taken apart: then all of it is marked.
    if (at < 0) return whole
    const spans = [...this.job.spec.schedule.matchAll(/\S+/g)]
    const [start, end] = [spans[first], spans[last]]
    if (start === undefined || end === undefined) return whole
    const base = scalar.start + at
    return this.object.text.placeAt(base + start.index, base + end.index + end[0].length)
  }

  partPlace(part: SchedulePart): Place | null {
    const path = paths[part]
    return this.object.has(path) ? this.object.keyPlace(path) : null
  }
}
