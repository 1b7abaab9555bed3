export const isRoot = process.getuid?.() === 0

/** For the name of a test that only root can run. */
export const whyNotRoot = isRoot ? '' : ' (not run: only root can make files of other users)'

if (!isRoot) console.warn('not root: tests that need other users are left out')
