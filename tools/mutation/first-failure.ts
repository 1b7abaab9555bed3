import fc from 'fast-check'

// The first failure is enough to find a mutant; the smallest example of it is never read.
fc.configureGlobal({ endOnFailure: true })
