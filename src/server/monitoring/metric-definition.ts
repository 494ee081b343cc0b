/** Definition of a metric for the metrics page and the reference. */
export interface MetricDefinition<Type extends MetricType = MetricType> {
  readonly name: string;
  readonly type: Type;
  readonly help: string;
  /** Labels of the metric. Clients cannot add values. */
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

/** Counter; its name ends with `_total`. */
export const counter = ofType('counter');
/** Gauge metric. */
export const gauge = ofType('gauge');
/** Histogram metric. */
export const histogram = ofType('histogram');
