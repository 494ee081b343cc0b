import { useEffect, useState } from 'react';
import { openThread } from '../../api/worker.ts';
import type { GraphNode } from './graph.ts';
import type { Layout } from './layout.ts';
import url from './layout-worker.ts?worker&url';

interface Laid {
  readonly of: readonly GraphNode[];
  readonly layout?: Layout;
  readonly fault?: string;
}

/** Computes the layout in a web worker. Its script contains the layout library, which the page does not load again. */
export function useLayout(nodes: readonly GraphNode[]): Omit<Laid, 'of'> | undefined {
  const [laid, setLaid] = useState<Laid | undefined>();
  useEffect(() => {
    let isOver = false;
    const thread = openThread<readonly GraphNode[], Layout>(url);
    thread.ask(nodes).then(
      (layout) => !isOver && setLaid({ of: nodes, layout }),
      (error: Error) => !isOver && setLaid({ of: nodes, fault: error.message }),
    );
    return () => {
      isOver = true;
      thread.close();
    };
  }, [nodes]);
  return laid?.of === nodes ? laid : undefined;
}
