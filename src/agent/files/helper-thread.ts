import { parentPort, workerData } from 'node:worker_threads'
import { doJob, type Job } from './jobs.js'
import { TextRoom, type Budget } from './text-room.js'

/* A thread that does the jobs it is sent, one after the other, for the one that keeps the index. */

const room = new TextRoom(workerData as Budget)
parentPort!.on('message', (job: Job) => parentPort!.postMessage(doJob(job, room), []))
