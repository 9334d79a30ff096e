/* numbers_of_c.h - reads and writes numbers with decimal points, whatever the process's locale. */
#ifndef TERRANE_PYTHON_NUMBERS_OF_C_H
#define TERRANE_PYTHON_NUMBERS_OF_C_H

#include <locale.h>

/** While the object exists, its thread uses the numbers of the locale "C". */
class numbers_of_c
{
  public:
    numbers_of_c() : c_(newlocale(LC_NUMERIC_MASK, "C", nullptr)), before_(uselocale(c_))
    {
    }
    ~numbers_of_c()
    {
        uselocale(before_);
        if (c_)
            freelocale(c_);
    }
    numbers_of_c(const numbers_of_c &) = delete;
    numbers_of_c &operator=(const numbers_of_c &) = delete;

  private:
    locale_t c_, before_;
};

#endif
