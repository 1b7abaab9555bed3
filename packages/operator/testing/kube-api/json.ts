/** Values that this module has copied and frozen, all the way down. */
const frozen = new WeakSet<object>()

/**
 * A copy as JSON would carry it, that nobody can change. What was frozen here before is not copied
 * again, so that a patch of one field of a large object costs little.
 */
export function frozenCopy<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  if (Array.isArray(value)) return remember(value.map((item) => copy(item) ?? null))
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON())
  const made: Record<string, unknown> = {}
  for (const [field, part] of Object.entries(value)) {
    if (part !== undefined) made[field] = copy(part)
  }
  return remember(made)
}

function remember<T extends object>(value: T): T {
  frozen.add(value)
  return Object.freeze(value)
}

/** Whether both are the same JSON; fields that are undefined count as absent. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => isSameJson(item, right[at]))
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return false
  const fields = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const field of fields) if (!isSameJson(left[field], right[field])) return false
  return true
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON merge patch, RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const merged: Record<string, unknown> = isPlainObject(target) ? { ...target } : {}
  for (const [field, part] of Object.entries(patch)) {
    if (part === null) delete merged[field]
    else if (part !== undefined) merged[field] = mergePatch(merged[field], part)
  }
  return merged
}
