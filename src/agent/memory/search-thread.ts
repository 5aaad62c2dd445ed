import { parentPort } from 'node:worker_threads'
import { doJob, type FromThread, type Job } from './jobs.js'

/* A thread that packs and searches what it is sent, one job after the other. It keeps nothing. */

const tell = (what: FromThread): void => parentPort!.postMessage(what, [])
parentPort!.on('message', (job: Job) => tell(doJob(job)))
tell('ready')
