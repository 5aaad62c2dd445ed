import { parentPort } from 'node:worker_threads'
import { doJob, type Job } from './jobs.js'

/* A thread that packs and searches what it is sent, one job after the other. It keeps nothing. */

parentPort!.on('message', (job: Job) => parentPort!.postMessage(doJob(job), []))
