/** Texts of the graph component. */
export const theGraphCouldNot = (fault: string) => `The graph could not be drawn: ${fault}. The table shows all of it.`;
export const drawingTheGraph = 'Drawing the graph…';
export const dependsOn = 'Depends on';
export const usedBy = '; used by';
export const graphHint =
  'Dependencies are on the left. Select a resource to highlight its connections; move along them with the arrow keys.';
export const nothing = 'nothing';
export const andMore = (more: number) => ` and ${more} more`;
export const theTableBelowShows = (label: string) => `${label}. The table below shows all of it.`;
export const showAsTable = 'Show as table';
export const name = 'Name';
export const change = 'Change';
export const zoomIn = 'Zoom in';
export const zoomOut = 'Zoom out';
export const fit = 'Fit';
export const smallest = 'Smallest scale';
export const largest = 'Largest scale';
