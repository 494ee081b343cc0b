/** Several processes that are one server. Light: the one that starts the others does nothing else. */
export { ConnectionDispatcher, type ListenAddress } from './connection-dispatcher.ts';
export { Output } from './output.ts';
export { type Settings, Supervisor, WorkerFailed } from './supervisor.ts';
export { Worker } from './worker.ts';
