/** Thrown by a mistake that can't be made on this machine, with the reason. */
export class NotSeenHere extends Error {}
