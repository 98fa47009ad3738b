#include <RuntimeMetaData.h>

#include <iostream>

int main() { std::cout << antlr4::RuntimeMetaData::VERSION; }
