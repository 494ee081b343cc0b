export { targetOf, urlIssues } from './address.ts';
export { UNCLAIMED } from './claim-table.ts';
export { Delivery, type DeliveryOptions } from './delivery.ts';
export type { DeliveryLoop, DeliveryPlaces, DeliveryTask } from './delivery-loop.ts';
export { type OrderedEntry, OrderedOutbox, type OrderedTables } from './ordered-outbox.ts';
export { OutcomeCounts } from './outcome-counts.ts';
export type { Attempt, Ended, Entry, Outcome, Queue, Verdict } from './queue.ts';
export { RowOutbox } from './row-outbox.ts';
export type { DeliveryResponse, Sender, Sent } from './sender.ts';
