/** What a metric is, as the page of metrics and the reference show it. */
export interface MetricDefinition<Type extends MetricType = MetricType> {
  readonly name: string;
  readonly type: Type;
  readonly help: string;
  /** Each has few values, whatever clients do. */
  readonly labels: readonly string[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

const ofType =
  <Type extends MetricType>(type: Type) =>
  (name: string, help: string, labels: readonly string[] = []): MetricDefinition<Type> => ({
    name,
    type,
    help,
    labels,
  });

/** A number that only grows: `…_total`. */
export const counter = ofType('counter');
/** A level, or a time. */
export const gauge = ofType('gauge');
/** How many of something were how large, in buckets. */
export const histogram = ofType('histogram');
