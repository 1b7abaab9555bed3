import type { KubeObject } from '../../src/kube/kube-object.js'
import { labelSelector } from './label-selector.js'

/** Whether an object is one of those that a list or a watch asks for. */
export function selection(query: {
  readonly namespace?: string
  readonly labelSelector?: string
}): (object: KubeObject) => boolean {
  const { namespace, labelSelector: text = '' } = query
  const hasLabels = labelSelector(text)
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) && hasLabels(object)
}
