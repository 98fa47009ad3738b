// PTX as a flat list of statements. The grammar knows no opcode and no nesting of blocks: an instruction is
// `guard? NAME modifier* operands ;`, a brace is a statement of its own, and the reader keeps the scopes. So a
// statement is parsed, lowered and forgotten, memory stays bounded, and an error costs one statement.
grammar Ptx;

module : statement* EOF ;

statement
  : instruction
  | label
  | brace
  | variables
  | location
  | function
  | prototype
  | targets
  | pragma
  | sourceFile
  | section
  | alias
  | version
  | target
  | addressSize
  ;

// --- module directives (PTX ISA 11.1, 11.5)
version     : '.version' (FLOAT | INT) ;
target      : '.target' NAME (',' NAME)* ;
addressSize : '.address_size' INT ;
sourceFile  : '.file' INT STRING (',' INT ',' INT)? ;
location    : '.loc' INT INT INT (',' NAME (INT INT INT | NAME ('+' INT)?))* ;
section     : '.section' (DOTNAME | NAME | STRING) '{' ~('{' | '}')* '}' ;
pragma      : '.pragma' STRING (',' STRING)* ';' ;
alias       : '.alias' NAME ',' NAME ';' ;

// --- functions (11.2, 11.3, 11.4)
function    : specifier* ('.entry' | '.func') specifier* parameters? NAME parameters? tuning* ('{' | ';') ;
prototype   : '.callprototype' parameters? NAME parameters? tuning* ';' ;
targets     : ('.branchtargets' | '.calltargets') NAME (',' NAME)* ';' ;
parameters  : '(' (parameter (',' parameter)*)? ')' ;
parameter   : specifier+ declarator ;
tuning      : DOTNAME (INT (',' INT)*)? | '.pragma' STRING ';' ;

// --- variables (5.4)
variables   : specifier+ declarator (',' declarator)* ';' ;
specifier   : DOTNAME | '.align' INT | '.attribute' '(' attribute (',' attribute)* ')' ;
attribute   : DOTNAME ('(' INT (',' INT)* ')')? ;
declarator  : NAME range? dimension* ('=' initialiser)? ;
range       : '<' INT '>' ;
dimension   : '[' (INT | NAME)? ']' ;
initialiser : expression | '{' (initialiser (',' initialiser)*)? '}' | NAME '=' expression ;

// --- instructions (4.3.2, chapter 6)
label       : NAME ':' ;
brace       : '{' | '}' ;
instruction : guard? NAME modifier* (operand (',' operand)*)? ';' ;
guard       : '@' '!'? NAME ;
modifier    : DOTNAME | '.alias' ;
operand
  : expression                                   // p|q is an expression as well
  | vector ('|' expression)?
  | memory
  ;
vector      : '{' operand (',' operand)* '}' ;
memory      : '[' operand (',' operand)* ']' ;

// --- constant expressions (4.5); the parenthesised list is a call's
expression
  : NAME '(' expression ')'                      // generic(symbol)
  | NAME '[' expression ']'                      // array element
  | NAME DOTNAME*
  | INT '(' expression ')'                       // mask operator, 0xff(symbol)
  | (INT | FLOAT | HEX_FLOAT | BAD_NUMBER)
  | '(' (expression (',' expression)*)? ')'
  | '(' DOTNAME ')' expression
  | ('-' | '!' | '~' | '+') expression
  | expression ('*' | '/' | '%') expression
  | expression ('+' | '-') expression
  | expression ('<<' | '>>') expression
  | expression ('<' | '<=' | '>' | '>=') expression
  | expression ('==' | '!=') expression
  | expression '&' expression
  | expression '^' expression
  | expression '|' expression
  | expression '&&' expression
  | expression '||' expression
  | <assoc=right> expression '?' expression ':' expression
  ;

// --- tokens
HEX_FLOAT   : '0' [fF] HEX HEX HEX HEX HEX HEX HEX HEX
            | '0' [dD] HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX ;
INT         : ('0' [xX] HEX+ | '0' [bB] [01]+ | [0-9]+) 'U'? ;
FLOAT       : [0-9]+ '.' [0-9]* EXPONENT? | '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT ;
BAD_NUMBER  : [0-9] [a-zA-Z0-9_$]* ;
NAME        : [a-zA-Z] [a-zA-Z0-9_$]* | [_$%] [a-zA-Z0-9_$]+ | '_' ;
DOTNAME     : '.' [a-zA-Z0-9_]+ ('::' [a-zA-Z0-9_]+)* ;
STRING      : '"' ~["\n]* '"' ;
SPACE       : [ \t\r\n\f\u000b]+ -> skip ;
LINE_COMMENT  : '//' ~[\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;
BAD_CHARACTER : . ;                              // so that the parser, not the lexer, complains

fragment HEX      : [0-9a-fA-F] ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;
