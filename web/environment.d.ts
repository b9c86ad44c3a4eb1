/** Baked in by the build: a hash of its content, 'dev' under the development server. */
declare const __APP_VERSION__: string
