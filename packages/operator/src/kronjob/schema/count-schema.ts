import type { JsonSchema } from './json-schema.js'

/** From 0 up. That a format sets a limit is not checked by every server, so it is said. */
export const countSchema = (description: string): JsonSchema => ({
  description,
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: 2 ** 31 - 1,
})
