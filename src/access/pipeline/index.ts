/** The way of every request: found, authenticated, authorized, run, answered. */
export { accessService } from './access-service.ts';
export { Backends } from './backends.ts';
export { Pipeline } from './pipeline.ts';
