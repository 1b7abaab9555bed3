/** What the mutants that survive in a slice are, and why no test is written for them. */
export const leftOver: Readonly<Record<string, string>> = {
  'core/decision':
    'shortcuts of the search and of the draws, which the oracle of 100,000 schedules tries and which takes too long for each mutant; bounds of the search that nothing reaches, and values behind the end of a block that are never read.',
  'core/policy':
    'a concurrency policy that the check of the definition lets nobody have, a job without any period before now, and bounds that are never equal.',
  'core/governor': 'a bound that the line before has let through.',
  'runtime/agenda':
    'what ends a sleep is forgotten once it is over; to keep it would abort a signal that nobody listens to.',
  'runtime/due-heap':
    'comparisons of values that are never equal, since each entry has its own number, and guards for positions that the caller has checked.',
  'runtime/log':
    'what is written when standard output or standard error is a pipe, a socket or closed needs a process of its own, and is tested there; a choice between two ways to the same line.',
  'krond/lock':
    'names in `/proc` are as they are, and two file systems with the same inode number are not to be had in a test.',
  'krond/daemon':
    'guards against states that other code rules out, which stay so that a mistake there executes nothing twice; steps that another step does as well.',
  'krond/state':
    'faults of a disk are found by the tests that put one into each call of it, which take too long for each mutant. What is left repeats a check of the line after it, or reads one byte less of a file that is too large anyway.',
  'krond/process':
    'what the kernel alone decides (an unreadable `/proc`, a race for a name), streams that Node closes by itself, and answers that are kept to save time. What a daemon does that is not root, or that is killed, is tested in processes of its own.',
  'scheduler/override':
    'checks for null that the comparison after them repeats, or that would need a time before which an expression never matched.',
  'scheduler/lifecycle':
    'what is said about the zone of a host needs a process with that zone, and is tested there. The others are a look more, or a wait of no length, while a scheduler stops.',
  'scheduler/polling':
    'shortcuts that save a look at the storage or a step of the loop, waits of a stop that another wait includes, and what happens after an error that is a defect of the scheduler itself.',
  'scheduler/storage':
    'what another process on the same file would see, which tests with several processes are about; connections that are closed earlier; tables that are made again as they are.',
  'operator/leadership':
    'a request after the term has ended is sent and given up at once; listeners that are called once are called by a signal that only aborts once.',
  'operator/informer': 'versions that are compared are never equal.',
  'operator/status':
    'fields without a value are left out of JSON either way; the defaults of the resource definition fill in what the checks for nothing look for.',
  'operator/controller':
    'bounds that are never equal, checks that only the compiler needs, memory that is given back later. Some would cost one look or one word in a log more, and have no test. Deaths and faults in every request are tested by runs that take too long for each mutant.',
  'server/access': 'checks for null that the condition after them repeats.',
  'server/store/sql':
    'locks and their order, which only PostgreSQL has and which its own tests are about; statements that are spared where there is nothing to write; checks that a statement repeats with the tenant or the fence.',
  'server/worker':
    'a header that the endpoint has itself wins in either order, a tenant without runs that is kept takes only memory, and guards for a definition that is always there.',
  'server/scheduling':
    'shortcuts that save time and give the same answer, and checks for null where null compares like an early instant. Some would be seen only in states that nobody knows a way to.',
}
