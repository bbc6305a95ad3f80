import js from '@eslint/js';
import globals from 'globals';

export default [
    js.configs.recommended,
    { files: ['page/**'], languageOptions: { globals: globals.browser } },
    { files: ['unit/**', 'browser/**', '*.js'], languageOptions: { globals: globals.node } },
    { files: ['browser/**'], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
    {
        rules: {
            eqeqeq: 'error',
            'no-eval': 'error',
            'no-implied-eval': 'error',
            'no-var': 'error',
            'prefer-const': 'error',
            // Types are imported in comments, which this rule does not read.
            'no-unused-vars': ['error', { varsIgnorePattern: '^_', args: 'after-used' }],
            'no-restricted-properties': [
                'error',
                { property: 'innerHTML', message: 'texts of others become no markup: use text nodes' },
                { property: 'outerHTML', message: 'texts of others become no markup: use text nodes' },
                { property: 'insertAdjacentHTML', message: 'texts of others become no markup: use text nodes' },
            ],
        },
    },
];
