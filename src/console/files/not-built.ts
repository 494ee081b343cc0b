/** What stands where the console would be, in sources that nobody has built it from. */
export const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>The console is not built · Lockkeeper</title>
<h1>The console is not built</h1>
<p>Both APIs are served. To have the console too, run <code>npm run build:console</code> in the folder of the sources, and start the server again.</p>
</html>
`;
