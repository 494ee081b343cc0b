/** The request pipeline of the access API: routing, authentication, authorization, execution, response. */
export { accessService } from './access-service.ts';
export { type AskedWithin, askWithin } from './asked-within.ts';
export { Backends } from './backends.ts';
export { Pipeline } from './pipeline.ts';
