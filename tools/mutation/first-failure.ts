import fc from 'fast-check'

// A mutant is found by the first failure; nobody reads the smallest example of it.
fc.configureGlobal({ endOnFailure: true })
