/** Several processes that form one server. Keep it light: the supervisor does nothing else. */
export { ConnectionDispatcher, type ListenAddress } from './connection-dispatcher.ts';
export { Output } from './output.ts';
export { type Settings, Supervisor, WorkerFailed } from './supervisor.ts';
export { Worker } from './worker.ts';
