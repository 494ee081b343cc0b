/** The way of every request: found, authenticated, authorized, run, answered. */
export { accessService } from './access-service.ts';
export { type AskedWithin, askWithin } from './asked-within.ts';
export { Backends } from './backends.ts';
export { Pipeline } from './pipeline.ts';
