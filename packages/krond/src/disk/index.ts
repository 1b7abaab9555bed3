export type { Disk, DiskEntry, DiskFile, ReadableDisk, WritableDisk } from './disk.js'
