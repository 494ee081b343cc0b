import { parentPort } from 'node:worker_threads';
import { releaseMemory } from '../../../lib/chunks.ts';
import { withOwnMemory } from '../../../lib/own-memory.ts';
import type { Answer, Request, Response } from './messages.ts';
import { StateIntake } from './state-intake.ts';

/** Worker thread that processes the chunks of several states concurrently, in the order of their arrival. */
const intakes = new Map<number, StateIntake>();

function answerTo(request: Request): Answer | undefined {
  if ('open' in request) {
    intakes.set(request.state, new StateIntake(request.open));
    return undefined;
  }
  if ('close' in request) {
    intakes.delete(request.state);
    return undefined;
  }
  const intake = intakes.get(request.state);
  if (!intake) throw new Error('a chunk of a state that is not open');
  if ('describe' in request) return intake.describe(request.describe);
  const sealed = intake.take(request.chunk, request.isLast).map(withOwnMemory);
  releaseMemory(request.chunk);
  return { sealed, taken: intake.taken };
}

function memoryOf(answer: Answer): ArrayBuffer[] {
  const parts =
    'sealed' in answer ? answer.sealed : [answer.outputs, answer.resources, answer.dependencies, answer.overview];
  return parts.map(({ buffer }) => buffer as ArrayBuffer);
}

parentPort?.on('message', (request: Request) => {
  try {
    const answer = answerTo(request);
    if (answer) parentPort?.postMessage({ answer } satisfies Response, memoryOf(answer));
  } catch (error) {
    parentPort?.postMessage({ error: String(error) } satisfies Response);
  }
});
