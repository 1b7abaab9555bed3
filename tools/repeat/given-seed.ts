import fc from 'fast-check'

/** Properties without a seed of their own take the one of the line that repeats a failure. */
const seed = process.env['KRON_SEED']
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
