/** Which mutants survive in a slice, and why no test finds them. */
export const leftOver: Readonly<Record<string, string>> = {
  'core/decision':
    'shortcuts of the search and of the draws, which only the oracle of 100,000 schedules tries, and the oracle takes too long for each mutant; bounds of the search that nothing reaches, and values behind the end of a block that are never read.',
  'core/policy':
    'a concurrency policy that the check of the definition refuses, a job without any period before now, and bounds that are never equal.',
  'core/governor': 'a bound that the line before has let through.',
  'runtime/agenda':
    'the signal that ends a sleep is forgotten afterwards; keeping it would abort a signal without listeners.',
  'runtime/due-heap':
    'comparisons of values that are never equal, since each entry has its own number, and guards for positions that the caller has checked.',
  'runtime/log':
    'writing to standard output or standard error that is a pipe, a socket or closed, which is tested in a process of its own; a choice between two ways to the same line.',
  'krond/lock':
    "names in `/proc` are fixed, and a test can't create two file systems with the same inode number.",
  'krond/daemon':
    'guards against states that other code rules out, which stay so that a mistake there executes nothing twice; steps that another step does as well.',
  'krond/state':
    'faults of a disk are found by tests that put a fault into each call, and these tests take too long for each mutant. The rest repeats a check of the next line, or reads one byte less of a file that is too large anyway.',
  'krond/process':
    'decisions of the kernel alone (an unreadable `/proc`, a race for a name), streams that Node closes itself, and answers that are kept to save time. Daemons without root, and killed daemons, are tested in processes of their own.',
  'scheduler/override':
    'checks for null that the comparison after them repeats, or that would need a time before which an expression never matched.',
  'scheduler/lifecycle':
    'warnings about the zone of a host need a process with that zone, and are tested there. The others are one more check, or a wait of no length, while a scheduler stops.',
  'scheduler/polling':
    'shortcuts that save a read of the storage or a step of the loop, waits of a stop that another wait includes, and the handling of an error that is a defect of the scheduler itself.',
  'scheduler/storage':
    'the view of another process on the same file, which tests with several processes check; connections that are closed earlier; tables that are created again unchanged.',
  'operator/leadership':
    'a request after the term has ended is sent and given up at once; listeners that are called once are called by a signal that only aborts once.',
  'operator/informer': 'versions that are compared are never equal.',
  'operator/status':
    'fields without a value are left out of JSON either way; the defaults of the resource definition fill in the fields whose absence is checked.',
  'operator/controller':
    'bounds that are never equal, checks that only the compiler needs, memory that is given back later. Some would cost one more check or one more word in a log, and have no test. Deaths and faults in every request are tested by runs that take too long for each mutant.',
  'server/access': 'checks for null that the condition after them repeats.',
  'server/store/sql':
    'locks and their order, which only PostgreSQL has and its own tests check; statements that are left out when there is nothing to write; checks that a statement repeats with the tenant or the fence.',
  'server/worker':
    "an endpoint's own header wins in either order, a tenant without runs that is kept costs only memory, and guards for a definition that always exists.",
  'server/scheduling':
    'shortcuts that save time and give the same answer, and checks for null where null compares like an early instant. Some would show only in states that no known path reaches.',
}
