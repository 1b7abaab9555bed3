/** Why the tests reach few lines of a folder, for the folders with low coverage. */
export const reasons: Readonly<Record<string, string>> = {
  'krond/control':
    'how commands find and signal a daemon: tests of `packages/krond/test` run the commands and the daemon as processes',
  'krond/start':
    'the beginning and the end of the process of krond: tests of `packages/krond/test` start, signal and kill it',
  'operator/start':
    'how the parts of kron-operator are put together: tests of `packages/operator/test` start it on a control plane',
  'runtime/memory':
    'gives memory of the engine back while nothing is due: it runs in the programs, and `bench/krond` measures it',
}
