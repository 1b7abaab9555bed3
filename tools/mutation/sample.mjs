import { createHash } from 'node:crypto'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** One function in so many is mutated, always the same ones: by its name alone. */
const oneIn = Number(process.env.KRON_MUTATION_SAMPLE ?? 1)

function isInSample(name) {
  return createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0
}

function nameOf({ node, parent }) {
  const named = node.key ?? node.id ?? parent.id ?? parent.key
  return named?.name ?? named?.id?.name ?? ''
}

/** Functions in functions go with the outermost. */
function shouldIgnore(path) {
  if (oneIn === 1 || !path.isFunction() || path.getFunctionParent() !== null) return undefined
  return isInSample(nameOf(path)) ? undefined : 'not in the sample'
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'sample', { shouldIgnore })]
